import path from 'node:path';
import type { CommandAction } from '../../kernel/contracts/command.js';
import { packageManagerOf, projectRoot } from '../../kernel/fs/index.js';
import { PROJECT_FW } from '../../kernel/invocation/index.js';
import { type RunResult, runProcess, untilAskedToStop } from '../../kernel/process/index.js';
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
  const manager = packageManagerOf(root);
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
    const { command, flags } = manager;
    const ended = await progress(`${command} install`, () => run(command, 'install', ...flags));
    return ended.exitCode === 0 ? undefined : lastLines(ended.stderr || ended.stdout) || endOf(ended);
  };
  // Only another release itself knows what it changes in projects.
  const fits = tarball === undefined;
  const { dryRun = false, json = false } = options;
  const done = await upgradeProject({ root, framework, fits, dryRun, install: options.install ? install : undefined });
  if (json) out(`${JSON.stringify({ ...done, dryRun }, null, 2)}\n`);
  else out([...(done.said.length > 0 ? done.said : [`${done.name} is up to date`]), ''].join('\n'));
  if (dryRun) return 0;
  if (!options.install) {
    if (!json) out(`next: ${manager.command} install, then ${fits ? BY_HAND : BY_HAND_OF_TARBALL}`);
    return 0;
  }
  const next = fits ? ['codegen'] : ['upgrade'];
  const ended = await progress(`fw ${next.join(' ')}`, () => run(process.execPath, FW, ...next));
  err(ended.stderr);
  if (!json) out(`${ended.stdout}${fits ? NEXT : ''}`);
  return ended.exitCode ?? 1;
};

export default upgrade;

const BY_HAND = `${PROJECT_FW} codegen
`;
// Only the release itself knows what it adds to a project.
const BY_HAND_OF_TARBALL = `${PROJECT_FW} upgrade, which adds what its new projects have, and generates code
`;
const NEXT = `what changed otherwise: ${PROJECT_FW} docs upgrade
next: npm test; with migrations also npm run migrate:diff, which has nothing to say
`;

/** How an installation ended that had said nothing yet. */
const endOf = ({ exitCode, signal, timedOut }: RunResult): string =>
  timedOut
    ? `it took longer than ${TIMEOUT_MS / 60_000} minutes`
    : `it ended ${exitCode === null ? `by ${String(signal)}` : `with the code ${exitCode}`}, and said nothing`;

const lastLines = (text: string): string => text.trimEnd().split('\n').slice(-PROBLEM_LINES).join('; ');
