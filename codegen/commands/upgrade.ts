import path from 'node:path';
import type { CommandAction } from '../../kernel/contracts/command.js';
import { projectRoot } from '../../kernel/fs/index.js';
import { PROJECT_FW } from '../../kernel/invocation/index.js';
import { runProcess, untilAskedToStop } from '../../kernel/process/index.js';
import { packFramework } from '../schematics/index.js';
import { isOwnFramework, readTarball, upgradeProject } from '../schematics/upgrade/index.js';

interface UpgradeOptions {
  readonly install: boolean;
  readonly dryRun?: boolean;
  readonly json?: boolean;
}

const FW = 'node_modules/fw/dist/kernel/bin/fw.js';
const TIMEOUT_MS = 900_000;
const OUTPUT_BYTES = 1_000_000;
const PROBLEM_LINES = 6;

/** `fw upgrade`: takes a project that vendors the framework to this version, or to that of a tarball. */
const upgrade: CommandAction<UpgradeOptions, [tarball?: string]> = async (call) => {
  const { args, options, cwd, out, err, progress } = call;
  const root = projectRoot(cwd);
  const { aborted: signal } = untilAskedToStop();
  const [tarball] = args;
  const framework = await (tarball !== undefined
    ? readTarball(path.resolve(cwd, tarball))
    : isOwnFramework(root)
      ? undefined
      : progress('packing the framework', (doing) => packFramework({ signal, log: doing })));
  const run = (command: string, ...rest: readonly string[]) =>
    runProcess({ command, args: rest, cwd: root, signal, timeoutMs: TIMEOUT_MS, maxOutputBytes: OUTPUT_BYTES });
  const install = async () => {
    const ended = await progress('npm install', () => run('npm', 'install', '--no-audit', '--no-fund'));
    return ended.exitCode === 0 ? undefined : lastLines(ended.stderr || ended.stdout);
  };
  // Only another release itself knows what it changes in projects.
  const fits = tarball === undefined;
  const { dryRun = false, json = false } = options;
  const done = await upgradeProject({ root, framework, fits, dryRun, install: options.install ? install : undefined });
  if (json) out(`${JSON.stringify({ ...done, dryRun }, null, 2)}\n`);
  else out([...(done.said.length > 0 ? done.said : [`${done.name} is up to date`]), ''].join('\n'));
  if (dryRun || !options.install) return 0;
  const next = fits ? ['codegen'] : ['upgrade'];
  const ended = await progress(`fw ${next.join(' ')}`, () => run(process.execPath, FW, ...next));
  err(ended.stderr);
  if (!json) out(`${ended.stdout}${fits ? NEXT : ''}`);
  return ended.exitCode ?? 1;
};

export default upgrade;

const NEXT = `what changed otherwise: ${PROJECT_FW} docs upgrade
next: npm test; with migrations also npm run migrate:diff, which has nothing to say
`;

const lastLines = (text: string): string => text.trimEnd().split('\n').slice(-PROBLEM_LINES).join('; ');
