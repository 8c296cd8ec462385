import { setPriority } from 'node:os';
import path from 'node:path';
import { compilerAbove } from '../../kernel/build/index.js';
import { type RunningProcess, startProcess } from '../../kernel/process/index.js';
import { builtFile } from './built-file.js';

/** What a check of the types found; the files relative to the project. */
export interface TypeReport {
  readonly errors: readonly {
    readonly file: string;
    readonly line: number;
    readonly column: number;
    readonly message: string;
  }[];
}

const ERROR = /^(.+?)\((\d+),(\d+)\): error (TS\d+: .*)$/;
const DONE = /Found (\d+) errors?\. Watching for file changes\./;
/** Lower priority than all processes that answer requests. */
const NICE = 10;

/**
 * Checks the types of a project in the background after every change, with its own TypeScript and tsconfig.json.
 *
 * @param tell - gets the result of each check
 * @returns ends it; undefined where the project has no compiler or no tsconfig.json
 */
export async function watchTypes(
  root: string,
  tsconfig: string | undefined,
  tell: (report: TypeReport) => void,
): Promise<RunningProcess | undefined> {
  const compiler = compilerAbove(root);
  if (compiler === undefined || tsconfig === undefined) return undefined;
  const program = builtFile('codegen/dev/type-check-program.js');
  const info = path.join(root, 'node_modules/.cache/fw/dev-types.tsbuildinfo');
  const flags = [
    '--watch',
    '--noEmit',
    '--incremental',
    '--tsBuildInfoFile',
    info,
    '--preserveWatchOutput',
    '--pretty',
    'false',
  ];
  const child = await startProcess({
    command: process.execPath,
    args: [program, path.join(path.dirname(compiler), '../lib/tsc.js'), '-p', tsconfig, ...flags],
    cwd: root,
    channel: true,
  });
  behindOthers(child.pid);
  let errors: TypeReport['errors'][number][] = [];
  child.onLine((line) => {
    const [, file, at, column, message] = ERROR.exec(line) ?? [];
    if (file !== undefined) errors.push({ file, line: Number(at), column: Number(column), message: message as string });
    if (!DONE.test(line)) return;
    tell({ errors });
    errors = [];
  });
  return child;
}

function behindOthers(pid: number): void {
  try {
    setPriority(pid, NICE);
  } catch {
    // The process has ended already, or the system has no priorities: then it runs with the usual one.
  }
}
