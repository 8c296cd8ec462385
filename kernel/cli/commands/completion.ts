import type { CommandAction } from '../../contracts/command.js';
import { type Shell, SHELLS } from '../completion/shells.js';

/** `fw completion`: prints the script by which a shell completes commands, options and their values. */
const completion: CommandAction<unknown, [shell: string]> = ({ args: [shell], out }) =>
  // The manifest lists the shells as choices, so the parser has refused all others.
  out((SHELLS[shell] as Shell).script);

export default completion;
