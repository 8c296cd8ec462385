import { defineErrors } from '../errors/index.js';

export const PLUGIN_ERRORS = defineErrors('kernel/plugin', {
  FW_PLUGIN_MANIFEST: {
    message: 'The manifest of plugin "{plugin}" is wrong: {problem}.',
    cause: 'definePlugin was given a key that it does not know, or a value that the key does not take.',
    remedy: 'Correct the manifest; docs/guides/write-a-plugin.md shows one.',
    guide: 'write-a-plugin.md',
  },
  FW_PLUGIN_FRAMEWORK: {
    message:
      'Plugin {plugin} is made for fw {range}, and this is fw {version}. Install a release of {plugin} that is made for {version}, or use a release of fw that it is made for.',
    cause: 'The manifest of a plugin names the releases of fw that it is made for, and this one is not among them.',
    remedy:
      'Update whichever of the two is behind. Its author raises `fw` in the manifest once it works with this release.',
  },
  FW_PLUGIN_NEEDS: {
    message:
      'Plugin {plugin} needs {missing}, which app.config.ts does not enable. Add plugin(() => import(...)) for it, or remove {plugin}.',
    cause: 'A plugin that another one needs is not listed, or is disabled in this profile.',
    remedy: 'Enable the missing plugin in app.config.ts.',
    guide: 'write-a-plugin.md',
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
    guide: 'write-a-plugin.md',
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
  FW_PLUGIN_NOT_BOUND: {
    message:
      'Plugin {plugin} lists {token} in `provides` and did not bind it in register. Bind it, or take it out of the manifest.',
    cause: 'The manifest does not tell the whole truth: others are told that the token is provided.',
    remedy: 'Call bind or bindClass in register for each token of `provides`.',
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
  FW_PLUGIN_BOOT_GIVEN_UP: {
    message: 'The boot was given up before every plugin had started. What had started was stopped.',
    cause: 'The signal given to bootApp was aborted, for `fw start` by SIGINT or SIGTERM.',
    remedy: 'Nothing, when the process was meant to end; start it again otherwise.',
  },
  FW_PLUGIN_NEED_FAILED: {
    message: 'Plugin {plugin} needs {failed}, which failed: {reason}',
    cause: 'A plugin that this one depends on degraded.',
    remedy: 'Mend the plugin that failed first.',
  },
  FW_PLUGIN_STOP_INCOMPLETE: {
    message: '{name} did not stop cleanly, in this order: {failures}',
    cause: 'One or more plugins failed in drain or stop; all others were stopped.',
    remedy: 'See the log, which has each failure where it happened.',
  },
  FW_PLUGIN_STOP: {
    message: 'Plugin {plugin} failed to stop: {reason}',
    cause: 'The plugin threw in stop, or did not stop before its deadline.',
    remedy: 'See the cause of the error; the other plugins were stopped all the same.',
  },
});
