import { statSync } from 'node:fs';
import path from 'node:path';
import type { LoadedAhead } from '../../kernel/build/index.js';
import { foldersAbove } from '../../kernel/fs/index.js';
import { AppProcess, type AppStart } from './app-process.js';
import { builtFile } from './built-file.js';
import type { FileEvent } from './project-files.js';

interface Waiting {
  readonly starting: Promise<AppProcess>;
  /** What it was told to load; undefined where that is the framework alone. */
  readonly ahead: LoadedAhead | undefined;
  /** Of the packages when it started. */
  readonly packages: string;
}

/**
 * The process of the next start. It is begun before the application is built, and while nothing happens one waits with the framework and
 * the models loaded. It is given up as soon as what it loaded has changed.
 */
export class NextProcess {
  #waiting: Waiting | undefined;
  /** A debugger or profiler that is asked for belongs to the process that serves, so that none waits then. */
  readonly #mayWait = !OBSERVED.test([...process.execArgv, process.env['NODE_OPTIONS'] ?? ''].join(' '));

  constructor(private readonly how: AppStart) {}

  /** Begins it, unless one waits that these changes leave as it is. */
  begin(events: readonly FileEvent[]): void {
    if (!this.#mayWait) void this.stop();
    const { ahead, packages } = this.#waiting ?? {};
    if (packages !== packagesOf(this.how.root) || (ahead && concerns(events, ahead))) void this.stop();
    this.#waiting ??= this.#started(undefined);
  }

  /** Hands it over, for an application that was built just now. */
  async take(built: LoadedAhead | undefined): Promise<AppProcess> {
    const { starting, ahead } = this.#waiting ?? {};
    const isOther = ahead !== undefined && ahead.digest !== built?.digest;
    if (isOther || (await starting)?.hasEnded) void this.stop();
    const taken = this.#waiting ?? this.#started(undefined);
    this.#waiting = undefined;
    return taken.starting;
  }

  /** Lets one wait for the next start. */
  async wait(ahead: LoadedAhead): Promise<void> {
    if (!this.#mayWait || this.#waiting) return;
    const waiting = (this.#waiting = this.#started(ahead));
    try {
      await (await waiting.starting).loadAhead(ahead);
    } catch {
      // The next start tries again, and says what is wrong.
      if (this.#waiting === waiting) this.#waiting = undefined;
    }
  }

  /** Ends one that waits. */
  async stop(): Promise<void> {
    const ending = this.#waiting?.starting;
    this.#waiting = undefined;
    // One that did not start has nothing to end.
    await ending?.then((app) => app.stop()).catch(() => undefined);
  }

  #started(ahead: LoadedAhead | undefined): Waiting {
    const starting = AppProcess.start(this.how);
    // Whoever takes it over is told of an error.
    starting.catch(() => undefined);
    return { starting, ahead, packages: packagesOf(this.how.root) };
  }
}

const OBSERVED = /--(?:inspect|debug|(?:cpu-|heap-)?prof|trace|watch)/;

// Settings beside app.config.ts decide how Node reads every module, and what its environment is.
const concerns = (events: readonly FileEvent[], { files }: LoadedAhead): boolean =>
  events.some(({ path: file }) => files.has(file) || (!file.includes('/') && file !== 'app.config.ts'));

/** Files that package managers write with each install. */
const INSTALLED = ['.package-lock.json', '.modules.yaml', '.yarn-state.yml'];

// Modules that a process loaded must not meet those of another version.
function packagesOf(root: string): string {
  const files = foldersAbove(root).flatMap((folder) =>
    INSTALLED.map((name) => path.join(folder, 'node_modules', name)),
  );
  return [...files, builtFile('chunks')]
    .map((file) => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? '')
    .join(' ');
}
