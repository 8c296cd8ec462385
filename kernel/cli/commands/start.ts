import {
  activeProfile,
  type AppConfig,
  environmentHint,
  listenAddresses,
  loadAhead,
  loadConfig,
} from '../../config/index.js';
import type { CommandAction } from '../../contracts/command.js';
import { type DevParent, devParent } from '../../dev/index.js';
import { superviseWorkers, thisWorker, workerCount } from '../../workers/index.js';
import { serve, type ServeOptions } from '../serve.js';

type StartOptions = Pick<ServeOptions, 'profile' | 'report'> & { readonly config?: string; readonly workers?: string };

/** `fw start`: boots the application and serves until a signal asks it to stop. */
const start: CommandAction<StartOptions> = async ({ options, progress }) => {
  const parent = devParent();
  if (parent) return replace(parent, options);
  const worker = thisWorker();
  const count = workerCount(options.workers ?? '1');
  if (worker === undefined && count > 1) return superviseWorkers(count);
  const { config, root } = await progress('loading the configuration', () => loadConfig(options.config, options));
  return serve(config, root, { ...options, progress, worker });
};

// For `fw dev`: the earlier process serves until this one has loaded every module, and stops only then.
async function replace(parent: DevParent, options: StartOptions): Promise<number> {
  let root = process.cwd();
  let ahead: Promise<void> | undefined;
  parent.onAhead((modules) => (ahead = loadAhead(root, modules, options.profile)));
  try {
    const asked = await Promise.race([
      parent.built.then(() => 'START' as const),
      parent.foretell.then(() => 'FORETELL' as const),
      parent.stop.then(() => 'STOP' as const),
    ]);
    if (asked === 'STOP') return 0;
    if (asked === 'FORETELL') return await foretell(parent, options);
    await ahead;
    const loaded = await loadConfig(options.config, options);
    ({ root } = loaded);
    await preload(loaded.config, options.profile);
    const { greet } = await Promise.race([parent.loaded(), parent.stop.then(() => ({ greet: undefined }))]);
    return greet === undefined ? 0 : await serve(loaded.config, root, { ...options, parent, greet });
  } catch (error) {
    // `fw dev` prints the error, with the source lines around it.
    await parent.failed(error, await environmentHint(error, root));
    return 1;
  }
}

// What the configuration imports is right and something else is not, which `fw dev` says at these addresses.
async function foretell(parent: DevParent, options: StartOptions): Promise<number> {
  const { config } = await loadConfig(options.config, options);
  for (const address of listenAddresses(config, activeProfile(options.profile))) parent.expect(address);
  await Promise.race([parent.loaded(), parent.stop]);
  return 0;
}

// Only loads the modules into memory. Errors are ignored here, because the boot reports them with the plugin that they belong to.
async function preload({ generated, plugins }: AppConfig, given: string | undefined): Promise<void> {
  const profile = activeProfile(given);
  const enabled = plugins.filter(({ variants }) => variants[profile] !== false);
  await Promise.allSettled([generated?.(), ...enabled.map(async ({ load }) => load())]);
}

export default start;
