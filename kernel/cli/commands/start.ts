import { activeProfile, type AppConfig, environmentHint, loadConfig } from '../../config/index.js';
import type { CommandAction } from '../../contracts/command.js';
import { type DevParent, devParent } from '../../dev/index.js';
import { serve, type ServeOptions } from '../serve.js';

type StartOptions = Pick<ServeOptions, 'profile' | 'report'> & { readonly config?: string };

/** `fw start`: boots the application and serves until a signal asks it to stop. */
const start: CommandAction<StartOptions> = async ({ options, progress }) => {
  const parent = devParent();
  if (parent) return replace(parent, options);
  const { config, root } = await progress('loading the configuration', () => loadConfig(options.config, options));
  return serve(config, root, { ...options, progress });
};

// Another process serves until this one has loaded everything; only then does it have to go.
async function replace(parent: DevParent, options: StartOptions): Promise<number> {
  let root = process.cwd();
  try {
    const isToStop = await Promise.race([parent.built.then(() => false), parent.stop.then(() => true)]);
    if (isToStop) return 0;
    const loaded = await loadConfig(options.config, options);
    ({ root } = loaded);
    await preload(loaded.config, options.profile);
    const { greet } = await Promise.race([parent.loaded(), parent.stop.then(() => ({ greet: undefined }))]);
    return greet === undefined ? 0 : await serve(loaded.config, root, { ...options, parent, greet });
  } catch (error) {
    // Said once, above, with the lines that it is about.
    await parent.failed(error, await environmentHint(error, root));
    return 1;
  }
}

// The boot says what is wrong with a module, and which plugin it belongs to: here it only has to be in memory.
async function preload({ generated, plugins }: AppConfig, given: string | undefined): Promise<void> {
  const profile = activeProfile(given);
  const enabled = plugins.filter(({ variants }) => variants[profile] !== false);
  await Promise.allSettled([generated?.(), ...enabled.map(async ({ load }) => load())]);
}

export default start;
