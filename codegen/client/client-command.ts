import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { CommandOutput } from '../../kernel/contracts/command.js';
import { changesIn } from '../../kernel/fs/index.js';
import { fwCommand } from '../../kernel/invocation/index.js';
import { assertGenerated, DEFAULT_CLIENT, projectClient } from './project-client.js';

/** Options of `fw generate client`. */
interface ClientCommand {
  /** Project folder. */
  readonly root: string;
  /** File to write, relative to the project; default {@link DEFAULT_CLIENT}. */
  readonly out?: string | undefined;
  /** Writes nothing; fails when the file is not up to date. */
  readonly check?: boolean;
  readonly output: CommandOutput;
}

/**
 * `fw generate client`: writes a typed client of the project's routes, without running it.
 *
 * @returns exit code: 0 when all is well, 1 when a check found the file stale
 * @throws FwError `FW_CODEGEN_NO_CONFIG`, `FW_LLMS_SOURCES`, `FW_CLIENT_FOREIGN_FILE`
 */
export async function clientCommand({
  root,
  out = DEFAULT_CLIENT,
  check = false,
  output,
}: ClientCommand): Promise<number> {
  const { text, routes, notes } = await projectClient(root);
  const file = path.resolve(root, out);
  const found = existsSync(file) ? readFileSync(file, 'utf8') : undefined;
  for (const note of notes) output.err(`note: ${note}\n`);
  if (found === text) output.out(`${out} is up to date (${routes} routes)\n`);
  else if (check)
    output.err(
      `${out} is ${found === undefined ? 'missing' : 'stale'}. Run \`${fwCommand('generate client')}\` and commit the result.\n`,
    );
  else {
    assertGenerated(out, found);
    const { changes, folder } = await changesIn(root, path.dirname(file));
    await changes.write(path.join(folder, path.basename(file)), text);
    await changes.commit({ onRecovered: (write) => output.err(`${write.text}\n`) });
    output.out(`wrote ${out} (${routes} routes)\n`);
  }
  return check && found !== text ? 1 : 0;
}
