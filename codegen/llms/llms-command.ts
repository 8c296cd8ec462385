import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { CommandOutput } from '../../kernel/contracts/command.js';
import { changesIn } from '../../kernel/fs/index.js';
import { fwCommand } from '../../kernel/invocation/index.js';
import { currentSources } from './current-sources.js';
import { freshnessOf } from './freshness.js';
import { projectLlms, type ProjectLlms } from './project-llms.js';

/** Options of `fw llms`. */
interface LlmsCommand {
  /** Project folder. */
  readonly root: string;
  /** Writes nothing; fails when a file is not up to date, and names the differences. */
  readonly check?: boolean;
  /** Folder of the two files, relative to the project; default the option `llmsDir` of the docs plugin, else the project. */
  readonly out?: string | undefined;
  readonly json?: boolean;
  readonly output: CommandOutput;
}

/**
 * `fw llms`: writes or checks `llms.txt` and `llms-full.txt` of a project, without running it.
 *
 * @returns exit code: 0 when all is well, 1 when a check found a file that is not current
 * @throws FwError `FW_CODEGEN_NO_CONFIG`, `FW_LLMS_SOURCES`
 */
export async function llmsCommand({ root, check = false, out, json = false, output }: LlmsCommand): Promise<number> {
  const { entries, facts } = await currentSources(root);
  const made = projectLlms(root, entries, facts);
  const llms = out === undefined ? made : { ...made, folder: path.resolve(root, out) };
  const files = Object.entries(llms.files).map(([name, text]) => ({
    name,
    text,
    ...freshnessOf(textIn(llms, name), text),
  }));
  if (!check) {
    const stale = files.filter(({ status }) => status !== 'current').map(({ name }) => name);
    await write(root, llms, stale, output);
  }
  const isCurrent = files.every(({ status }) => status === 'current');
  const report = files.map(({ name, status, reason, changes }) => ({
    file: shown(root, llms, name),
    status,
    reason,
    changes,
  }));
  if (json) output.out(`${JSON.stringify({ ok: isCurrent || !check, files: report, notes: llms.notes }, null, 2)}\n`);
  else print(report, { check, notes: llms.notes, output });
  return isCurrent || !check ? 0 : 1;
}

function textIn({ folder }: ProjectLlms, name: string): string | undefined {
  const file = path.join(folder, name);
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined;
}

async function write(
  root: string,
  { folder, files }: ProjectLlms,
  names: readonly string[],
  { err }: CommandOutput,
): Promise<void> {
  if (names.length === 0) return;
  const { changes, folder: target } = await changesIn(root, folder);
  for (const name of names) await changes.write(path.join(target, name), files[name] as string);
  await changes.commit({ onRecovered: ({ text }) => err(`${text}\n`) });
}

function shown(root: string, { folder }: ProjectLlms, name: string): string {
  return path.relative(root, path.join(folder, name)).split(path.sep).join('/');
}

interface Reported {
  readonly file: string;
  readonly status: string;
  readonly reason: string;
  readonly changes: readonly string[];
}

function print(
  files: readonly Reported[],
  {
    check,
    notes,
    output,
  }: { readonly check: boolean; readonly notes: readonly string[]; readonly output: CommandOutput },
): void {
  for (const note of notes) output.err(`note: ${note}\n`);
  for (const { file, status, reason, changes } of files) {
    if (status === 'current') output.out(`${file} is up to date\n`);
    else if (!check) output.out(`wrote ${file}\n`);
    else output.err(`${file} is ${status}: ${reason}\n${changes.map((change) => `  ${change}\n`).join('')}`);
  }
  if (check && files.some(({ status }) => status !== 'current'))
    output.err(`Run \`${fwCommand('llms')}\` and commit the result.\n`);
}
