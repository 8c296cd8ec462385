import { defineErrors } from '../errors/index.js';

export const PLUGIN_ERRORS = defineErrors('kernel/plugin', {
  FW_PLUGIN_MANIFEST: {
    message: 'The manifest of plugin "{plugin}" is wrong: {problem}.',
    cause: 'definePlugin was called with an unknown key, category or id.',
    remedy: 'Correct the manifest; docs/guides/write-a-plugin.md shows one.',
  },
  FW_PLUGIN_NEEDS: {
    message:
      'Plugin {plugin} needs {missing}, which app.config.ts does not enable. Add plugin(() => import(...)) for it, or remove {plugin}.',
    cause: 'A plugin that another one needs is not listed, or is disabled in this profile.',
    remedy: 'Enable the missing plugin in app.config.ts.',
  },
  FW_PLUGIN_USES: {
    message:
      'Plugin {plugin} uses {token}, which no enabled plugin provides. Add a plugin that provides it to app.config.ts.',
    cause: 'No enabled plugin lists the token in `provides`.',
    remedy: 'Enable a plugin that provides the contract.',
  },
  FW_PLUGIN_PROVIDED_TWICE: {
    message: 'Both {first} and {second} provide {token}. Exactly one plugin may: disable one of them in app.config.ts.',
    cause: 'Two enabled plugins list the same token in `provides`.',
    remedy: 'Disable one of the two.',
  },
  FW_PLUGIN_CYCLE: {
    message:
      'These plugins need each other in a circle: {circle}. Break it: make one of the needs optional, or split a plugin.',
    cause: 'needs, uses and provides form a cycle.',
    remedy: 'Use optionalNeeds, an event, or a third plugin that both need.',
  },
  FW_PLUGIN_ORDER: {
    message: 'The order in app.config.ts is wrong: {problems}',
    cause: 'A plugin stands before or after another one that it must follow or precede.',
    remedy: 'Move the entries as the message says; each reason is given.',
  },
  FW_PLUGIN_REGISTER: {
    message: 'Plugin {plugin} failed in register: {reason}',
    cause: 'The plugin threw while it bound its services.',
    remedy: 'See the cause of the error; the plugin that is named is at fault.',
  },
  FW_PLUGIN_REGISTER_ASYNC: {
    message: 'Plugin {plugin} returned a promise from register, which must be synchronous. Move what waits into start.',
    cause: '`register` is an async function.',
    remedy: 'Bind in register, wait in start.',
  },
  FW_PLUGIN_UNDECLARED: {
    message: 'Plugin {plugin} binds {token} without listing it in `provides`. Add it to the manifest.',
    cause: 'The manifest does not tell the whole truth.',
    remedy: 'List the token in `provides`.',
  },
  FW_PLUGIN_START: {
    message: 'Plugin {plugin} failed to start: {reason}',
    cause: 'The plugin threw, or its promise was rejected, in start.',
    remedy: 'See the cause of the error.',
  },
  FW_PLUGIN_START_DEADLINE: {
    message:
      'Plugin {plugin} did not start within {deadlineMs} ms. It may wait for something that never comes: a connection, or a promise that nobody settles.',
    cause: 'start did not settle before its deadline.',
    remedy: 'Check what the plugin connects to; raise startDeadlineMs in its manifest when it is really that slow.',
  },
  FW_PLUGIN_NEED_FAILED: {
    message: 'Plugin {plugin} needs {failed}, which failed: {reason}',
    cause: 'A plugin that this one depends on degraded.',
    remedy: 'Mend the plugin that failed first.',
  },
  FW_PLUGIN_STOP: {
    message: 'Plugin {plugin} failed to stop: {reason}',
    cause: 'The plugin threw in stop, or did not stop before its deadline.',
    remedy: 'See the cause of the error; the other plugins were stopped all the same.',
  },
});
