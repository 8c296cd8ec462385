import type { CommandAction } from '../../contracts/command.js';
import { type Shell, SHELLS } from '../completion/shells.js';

/** `fw completion`: what a shell has to be told, so that it completes commands, options and their values. */
const completion: CommandAction<unknown, [shell: string]> = ({ args: [shell], out }) =>
  // The manifest lets only those through that are there.
  out((SHELLS[shell] as Shell).script);

export default completion;
