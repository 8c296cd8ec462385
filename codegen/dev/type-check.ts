import { existsSync } from 'node:fs';
import { setPriority } from 'node:os';
import path from 'node:path';
import { type Compiler, compilerAbove } from '../../kernel/compiler/index.js';
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
const BEGUN = /File change detected\. Starting incremental compilation/;
const DONE = /Found (\d+) errors?\. Watching for file changes\./;
/** Milliseconds that a compiler has to begin anew after a save, before another takes its place. */
const OUTDATED_MS = 3_000;
/** Milliseconds that a compiler has to end when told to; those in JavaScript do at once. */
const END_MS = 1_000;
/** Lower priority than all processes that answer requests. */
const NICE = 10;

const MISSING = /^TS2307: Cannot find module '(\.{1,2}\/[^']+)'/;
/** What a relative import of a file with the first extension may find. */
const SOURCES: Readonly<Record<string, readonly string[]>> = {
  '.js': ['.ts', '.tsx', '.d.ts'],
  '.mjs': ['.mts', '.d.mts'],
  '.cjs': ['.cts', '.d.cts'],
};

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
): Promise<TypeCheck | undefined> {
  const compiler = compilerAbove(root);
  if (compiler === undefined || tsconfig === undefined) return undefined;
  const check = new TypeCheck(root, compiler, tsconfig, tell);
  await check.start();
  return check;
}

/** The watching compiler of a project. */
export class TypeCheck {
  #child: RunningProcess | undefined;
  #isStopped = false;
  #restartedFor = '';
  /** Whether something was saved since the check that runs began. */
  #isOutdated = false;
  #waiting: NodeJS.Timeout | undefined;

  constructor(
    private readonly root: string,
    private readonly compiler: Compiler,
    private readonly tsconfig: string,
    private readonly tell: (report: TypeReport) => void,
  ) {}

  async start(): Promise<void> {
    const flags = ['--watch', '--noEmit', '--incremental', '--preserveWatchOutput', '--pretty', 'false'];
    const info = path.join(this.root, 'node_modules/.cache/fw/dev-types.tsbuildinfo');
    const args = [...this.compiler.command, '-p', this.tsconfig, ...flags, '--tsBuildInfoFile', info];
    const child = await startProcess({
      command: process.execPath,
      args: [builtFile('codegen/dev/type-check-program.js'), ...args],
      cwd: this.root,
      channel: true,
    });
    if (this.#isStopped) return void (await child.stop({ graceMs: END_MS }));
    this.#child = child;
    behindOthers(child.pid);
    let errors: TypeReport['errors'][number][] = [];
    child.onLine((line) => {
      if (this.#child !== child) return;
      const [, file, at, column, message] = ERROR.exec(line) ?? [];
      if (file !== undefined)
        errors.push({ file, line: Number(at), column: Number(column), message: message as string });
      if (BEGUN.test(line)) {
        this.#isOutdated = false;
        clearTimeout(this.#waiting);
      }
      if (!DONE.test(line)) return;
      this.#found({ errors });
      errors = [];
    });
  }

  /** Something was saved: what is found until the compiler begins anew is about the text from before. */
  saved(): void {
    this.#isOutdated = true;
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#waiting);
    await this.#child?.stop({ graceMs: END_MS });
  }

  // Mistakes of a text that was saved anew would be shown with the lines of the new one, so they wait. A compiler that then does not begin
  // anew has missed the save, as the one in machine code does with what changes while it compiles, or the save concerns no type: a new
  // compiler knows.
  #found(report: TypeReport): void {
    clearTimeout(this.#waiting);
    if (!this.#isOutdated) return this.#checked(report);
    this.#isOutdated = false;
    this.#waiting = setTimeout(() => void this.#again(report), OUTDATED_MS);
  }

  // A watching compiler misses a file that appears while it compiles what imports it: it looks at the folders as they were before, and
  // begins to wait for the file only afterwards. A new compiler finds it; when it says the same, it is right.
  #checked(report: TypeReport): void {
    const found = JSON.stringify(report.errors);
    if (found === this.#restartedFor || !report.errors.some((error) => this.#isThere(error))) return this.tell(report);
    this.#restartedFor = found;
    void this.#again(report);
  }

  async #again(report: TypeReport): Promise<void> {
    const old = this.#child;
    this.#child = undefined;
    try {
      await old?.stop({ graceMs: END_MS });
      await this.start();
    } catch {
      // The system starts no process now: what the last one found stands.
      this.tell(report);
    }
  }

  /** Whether the file that an error says is missing is there. */
  #isThere({ file, message }: TypeReport['errors'][number]): boolean {
    const [, name] = MISSING.exec(message) ?? [];
    if (name === undefined) return false;
    const target = path.resolve(this.root, path.dirname(file), name);
    const extension = path.extname(target);
    const sources = (SOURCES[extension] ?? []).map((each) => target.slice(0, -extension.length) + each);
    return [target, ...sources].some((each) => existsSync(each));
  }
}

function behindOthers(pid: number): void {
  try {
    setPriority(pid, NICE);
  } catch {
    // The process has ended already, or the system has no priorities: then it runs with the usual one.
  }
}
