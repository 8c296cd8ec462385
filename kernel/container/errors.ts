import { defineErrors } from '../errors/index.js';

export const CONTAINER_ERRORS = defineErrors('kernel/container', {
  FW_CONTAINER_UNBOUND: {
    message:
      'Nothing provides {token}. Add a plugin that provides it to app.config.ts, or ask for it with getOptional.',
    cause: 'A plugin asks for a service while no enabled plugin provides it.',
    remedy: 'Enable the plugin that provides the token; name the token in `uses`, so that the boot says so earlier.',
  },
  FW_CONTAINER_BOUND_TWICE: {
    message: 'Both {first} and {second} provide {token}. Exactly one plugin may: disable one of them in app.config.ts.',
    cause: 'Two enabled plugins bind the same token.',
    remedy: 'Disable one of the two plugins; tokens that take many implementations are contributed to, not bound.',
  },
  FW_CONTAINER_CONTRIBUTION_FAILED: {
    message: 'The contribution of {owner} to {token} could not be made: {reason}',
    cause: 'The factory that a plugin gave to `contribute` threw.',
    remedy: 'Mend the factory of the plugin that is named; the cause is attached to the error.',
  },
});
