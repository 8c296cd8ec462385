import { llmsCommand } from '../../../codegen/llms/llms-command.js';
import type { CommandAction } from '../../../kernel/contracts/command.js';

interface LlmsOptions {
  readonly check?: boolean;
  readonly out?: string;
  readonly json?: boolean;
}

/** `fw llms`: writes or checks llms.txt and llms-full.txt. */
const llms: CommandAction<LlmsOptions> = ({ options, cwd, out, err }) =>
  llmsCommand({ root: cwd, ...options, output: { out, err } });

export default llms;
