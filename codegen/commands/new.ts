import path from 'node:path';
import type { CommandAction } from '../../kernel/contracts/command.js';
import { type PackageManager, packageManagerOf, readTextFile } from '../../kernel/fs/index.js';
import { runProcess, untilAskedToStop } from '../../kernel/process/index.js';
import { newProject } from '../schematics/index.js';

interface NewOptions {
  readonly template: string;
  readonly driver?: string;
  readonly client?: string;
  readonly config?: string;
  readonly install?: boolean;
  readonly json?: boolean;
}

/** `fw new`: makes a project in a new folder. */
const newCommand: CommandAction<NewOptions, [name: string]> = async (call) => {
  const {
    args: [name],
    options: { template, driver, client, config, install, json },
    cwd,
    out,
    err,
    progress,
  } = call;
  const log = (line: string) => err(`${line}\n`);
  const { aborted: signal } = untilAskedToStop();
  const document = config === undefined ? {} : await documentIn(path.resolve(cwd, config));
  const made = await progress(`making ${name}`, (next) =>
    newProject({ name, template, driver, client, document }, { parent: cwd, log, doing: next, signal }),
  );
  if (!json) out(`made ${made.path} (${template}, ${made.files.length} files)\n`);
  const manager = packageManagerOf(made.path);
  const { command } = manager;
  const code = install ? await progress(`${command} install`, () => runInstall(made.path, manager, signal, log)) : 0;
  if (json)
    out(
      `${JSON.stringify({ path: made.path, template, files: made.files, installed: install === true && code === 0 }, null, 2)}\n`,
    );
  if (json || install) return code;
  out(`next: cd ${/\s/.test(name) ? JSON.stringify(name) : name} && ${command} install && ${command} run dev\n`);
  return 0;
};

export default newCommand;

/** @throws FwError `FW_FILE_*` and `FW_TOOLS_DOCUMENT*` when the file cannot be read, or contradicts itself */
async function documentIn(file: string) {
  const { documentIn } = await import('../../plugins/tools/generation/index.js');
  // JSON is YAML.
  return documentIn({ config_yaml: await readTextFile(file, { maxBytes: DOCUMENT_BYTES }) });
}

const DOCUMENT_BYTES = 1 << 20;
const INSTALL_TIMEOUT_MS = 900_000;

async function runInstall(
  cwd: string,
  { command, flags }: PackageManager,
  signal: AbortSignal,
  onLine: (line: string) => void,
): Promise<number> {
  const ended = await runProcess({
    command,
    args: ['install', ...flags],
    cwd,
    signal,
    timeoutMs: INSTALL_TIMEOUT_MS,
    maxOutputBytes: 1_000_000,
    onLine,
  });
  return ended.exitCode ?? 1;
}
