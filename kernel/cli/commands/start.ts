import { loadConfig } from '../../config/index.js';
import type { CommandAction } from '../../contracts/command.js';
import { serve, type ServeOptions } from '../serve.js';

/** `fw start`: boots the application and serves until a signal asks it to stop. */
const start: CommandAction<ServeOptions & { readonly config?: string }> = async ({ options }) => {
  const { config, root } = await loadConfig(options.config);
  return serve(config, root, options);
};

export default start;
