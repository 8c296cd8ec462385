import { defineErrors } from '../errors/index.js';

export const CONTAINER_ERRORS = defineErrors('kernel/container', {
  FW_CONTAINER_UNBOUND: {
    message:
      'Nothing provides {token}. List a plugin that provides it in app.config.ts, and in a test among those that it boots, or ask for it with getOptional.',
    cause: 'A plugin asks for a service while no enabled plugin provides it.',
    remedy: 'Enable the plugin that provides the token; name the token in `uses`, so that the boot says so earlier.',
  },
  FW_CONTAINER_NEED_UNBOUND: {
    message:
      'Making {service} needs {token}, which nothing provides. List a plugin that provides it in app.config.ts, and in a test among those that it boots, or mark the parameter with @optional().',
    cause: 'A constructor parameter of a class that a plugin bound asks for a service that no enabled plugin provides.',
    remedy: 'Enable the plugin that provides the token; name the token in `uses`, so that the boot says so earlier.',
  },
  FW_CONTAINER_CIRCLE: {
    message:
      'These services need each other while they are made: {circle}. Ask for one of them later, when it is used.',
    cause: 'The factory or constructor of a service asks, over others, for itself.',
    remedy:
      'Let one of them take the resolver and ask on first use, or split the part that both need into a third service.',
  },
  FW_CONTAINER_CLASS: {
    message:
      'The class {name}, which {owner} binds to {token}, cannot be made: {reason} Mark the class with @injectable() and each parameter of its constructor with @inject(Token).',
    cause: 'Types are not read at run time, so the container knows no more of a parameter than its decorator says.',
    remedy: 'Add the decorators that the message names, or bind a factory.',
  },
  FW_CONTAINER_PROMISE: {
    message:
      'The factory of {owner} for {token} returned a promise. Services are made without waiting: make it in register and open it in start.',
    cause: 'A factory given to bind or contribute is an async function.',
    remedy: 'Return the service itself; wait in the hook `start` of the plugin.',
  },
  FW_CONTAINER_RESOLUTION: {
    message: 'A service could not be made: {reason}',
    cause: 'The container refused a binding for a reason that has no code of its own.',
    remedy: 'The reason is the one that Inversify gives; mend the binding of the token that is named.',
  },
  FW_CONTAINER_BOUND_TWICE: {
    message: 'Both {first} and {second} provide {token}. Exactly one plugin may: disable one of them in app.config.ts.',
    cause: 'Two enabled plugins bind the same token, or one binds it and the other contributes to it.',
    remedy: 'Disable one of the two plugins; tokens that take many implementations are contributed to, not bound.',
  },
  FW_CONTAINER_CONTRIBUTION_FAILED: {
    message: 'The contribution of {owner} to {token} could not be made: {reason}',
    cause: 'The factory that a plugin gave to `contribute` threw.',
    remedy: 'Mend the factory of the plugin that is named; the cause is attached to the error.',
  },
});
