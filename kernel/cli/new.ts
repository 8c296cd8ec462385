import path from 'node:path';
import { Command } from 'commander';
import { untilSignal } from './signals.js';

interface NewOptions {
  readonly template: string;
  readonly config?: string;
  readonly install?: boolean;
}

/** `fw new`: makes a project in a new folder. */
export function newCommand(finish: (exitCode: number) => void): Command {
  return new Command('new')
    .description(
      'Make a project in a new folder: configuration, routes, tests, lint, and a packed copy of the framework',
    )
    .argument('<name>', 'name of the folder and of the application')
    .option('--template <name>', 'api (ORM, API reference, security headers) or minimal', 'api')
    .option('--config <file>', 'YAML or JSON with server, features, models and routes that it shall have')
    .option('--install', 'run npm install in it')
    .action(async (name: string, { template, config, install }: NewOptions) => {
      // Loaded here: generators bring the parser along.
      const { newProject } = await import('../../codegen/schematics/index.js');
      const log = (line: string) => void process.stderr.write(`${line}\n`);
      const { aborted: signal } = untilSignal();
      const document = config === undefined ? {} : await documentIn(config);
      const made = await newProject({ name, template, document }, { parent: process.cwd(), log, signal });
      process.stdout.write(`made ${made.path} (${template}, ${made.files.length} files)\n`);
      if (install) return finish(await runInstall(made.path, signal));
      process.stdout.write(`next: cd ${/\s/.test(name) ? JSON.stringify(name) : name} && npm install && npm start\n`);
      finish(0);
    });
}

/** @throws FwError `FW_FILE_*` and `FW_TOOLS_DOCUMENT*` when the file cannot be read, or says what cannot be */
async function documentIn(file: string) {
  const { readTextFile } = await import('../fs/index.js');
  const { documentIn } = await import('../../plugins/tools/generation/index.js');
  // JSON is YAML.
  return documentIn({ config_yaml: await readTextFile(path.resolve(file), { maxBytes: DOCUMENT_BYTES }) });
}

const DOCUMENT_BYTES = 1 << 20;
const INSTALL_TIMEOUT_MS = 900_000;

async function runInstall(cwd: string, signal: AbortSignal): Promise<number> {
  const { runProcess } = await import('../process/index.js');
  const ended = await runProcess({
    command: 'npm',
    args: ['install', '--no-audit', '--no-fund'],
    cwd,
    signal,
    timeoutMs: INSTALL_TIMEOUT_MS,
    maxOutputBytes: 1_000_000,
    onLine: (line) => void process.stderr.write(`${line}\n`),
  });
  return ended.exitCode ?? 1;
}
