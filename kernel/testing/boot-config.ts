import { bootApp, type BootOptions } from '../boot/index.js';
import { type AppConfig, defineApp, type Profile } from '../config/index.js';
import type { BootedTestApp } from './boot-test-app.js';
import { RecordingLogger } from './recording-logger.js';

/** How to boot a whole configuration under test. */
export interface ConfigUnderTest {
  /** Folder that the configuration stands in. */
  readonly root: string;
  /** Modules of plugins that are left out, as the configuration imports them: `fw/mcp`. */
  readonly without?: readonly string[];
  /** Default `test`. */
  readonly profile?: Profile;
  /** Options that win over those of the configuration, by plugin id. */
  readonly overrides?: BootOptions['overrides'];
}

/** Boots an application's own `app.config.ts`, in the profile `test` unless told otherwise, with a logger that records. */
export async function bootConfig(
  config: AppConfig,
  { root, without = [], profile = 'test', overrides = {} }: ConfigUnderTest,
): Promise<BootedTestApp> {
  const plugins = config.plugins.filter(
    ({ load, variants }) =>
      variants[profile] !== false &&
      !without.some((specifier) => /import\(\s*['"](.+?)['"]/.exec(load.toString())?.[1] === specifier),
  );
  // One after the other: Jest's module loader fails at concurrent imports of one module.
  for (const { load } of plugins) await load();
  const log = new RecordingLogger();
  const app = await bootApp(defineApp({ ...config, plugins }), { profile, root, log, overrides });
  return Object.assign(app, { log, [Symbol.asyncDispose]: () => app.stop() });
}
