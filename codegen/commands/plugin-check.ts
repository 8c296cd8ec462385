import type { CommandAction } from '../../kernel/contracts/command.js';
import { untilAskedToStop } from '../../kernel/process/index.js';
import { pluginCheckCommand } from '../plugin-check/index.js';

interface CheckOptions {
  readonly options: string;
  readonly pack: boolean;
  readonly json?: boolean;
}

/** `fw plugin check`: checks a plugin's package before it is published. */
const pluginCheck: CommandAction<CheckOptions, [folder: string]> = ({ args: [folder], options, out }) =>
  pluginCheckCommand({ folder, json: false, ...options, signal: untilAskedToStop().aborted, out });

export default pluginCheck;
