import type { CommandAction } from '../../kernel/contracts/command.js';
import { clientCommand } from '../client/client-command.js';

interface ClientOptions {
  readonly out?: string;
  readonly check?: boolean;
}

/** `fw generate client`: writes a typed client of the project's routes. */
const generateClient: CommandAction<ClientOptions> = ({ options, cwd, out, err }) =>
  clientCommand({ root: cwd, ...options, output: { out, err } });

export default generateClient;
