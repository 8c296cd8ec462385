import path from 'node:path';
import { runProcess } from '../../kernel/process/index.js';
import { commandModules } from './commands.js';
import type { PluginPackage } from './plugin-package.js';
import { doubtful, type PluginProblem, wrong } from './problem.js';

const PACK_MS = 60_000;

/** Checks that `npm pack` would include the exports and command modules of a package. */
export async function packedProblems(found: PluginPackage, signal: AbortSignal): Promise<readonly PluginProblem[]> {
  const { root, entry, types } = found;
  const packed = await runProcess({
    command: 'npm',
    args: ['pack', '--dry-run', '--json', '--ignore-scripts'],
    cwd: root,
    timeoutMs: PACK_MS,
    maxOutputBytes: 4_000_000,
    signal,
  });
  const files = filesIn(packed.stdout);
  if (!files)
    return [
      doubtful('exports', `npm pack failed: ${packed.stderr.trim().slice(-300)}`, 'Run npm pack --dry-run to see why.'),
    ];
  const published = (file: string | undefined) =>
    file === undefined || files.has(path.relative(root, file).split(path.sep).join('/'));
  return [entry, types, ...commandModules(found)]
    .filter((file) => !published(file))
    .map((file) =>
      wrong(
        'exports',
        `${path.relative(root, file ?? '')} is ${file === entry || file === types ? 'exported' : 'a command'}, but not published`,
        'Name it in "files" of package.json.',
      ),
    );
}

function filesIn(output: string): ReadonlySet<string> | undefined {
  try {
    const [{ files }] = JSON.parse(output) as [{ files: readonly { path: string }[] }];
    return new Set(files.map((file) => file.path));
  } catch {
    // npm prints the reason to standard error; the caller shows it.
    return undefined;
  }
}
