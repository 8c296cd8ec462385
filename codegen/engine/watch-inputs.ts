import { existsSync, type FSWatcher, readdirSync, watch } from 'node:fs';
import path from 'node:path';
import type { Logger } from '../../kernel/contracts/index.js';

/** The files and folders to watch. All paths are absolute, and need not exist. */
export interface WatchedInputs {
  readonly files: readonly string[];
  /** Folders in which files may appear, at any depth. */
  readonly trees: readonly string[];
}

/** What to watch and what to do. */
interface WatchOptions<Result> {
  readonly run: () => Promise<Result>;
  /** Asked after every run. */
  readonly inputs: () => WatchedInputs;
  /** Milliseconds in which several changes count as one. */
  readonly debounceMs: number;
  readonly signal: AbortSignal | undefined;
  readonly log: Logger | undefined;
}

/**
 * Runs once, then again whenever something changes in a folder that holds an input, until the signal is aborted. Runs never
 * overlap; changes during a run lead to one more.
 *
 * @returns the last result
 */
export async function watchInputs<Result>(options: WatchOptions<Result>): Promise<Result> {
  const bell = new Bell(options.debounceMs, options.signal);
  const folders = new WatchedFolders(() => bell.ring(), options.log);
  try {
    let result: Result;
    do {
      result = await options.run();
      // One more run finds changes between the run and the watch of a new folder.
      if (folders.set(foldersOf(options.inputs()))) bell.ring();
    } while (await bell.next());
    return result;
  } finally {
    folders.set(new Set());
  }
}

// Watches folders, because editors replace files and a watch of a file ends with the file.
function foldersOf({ files, trees }: WatchedInputs): ReadonlySet<string> {
  const folders = new Set(files.map((file) => nearestFolder(path.dirname(file))));
  for (const tree of trees) {
    if (existsSync(tree)) addTree(tree, folders);
    else folders.add(nearestFolder(tree));
  }
  return folders;
}

// What is not there yet is awaited in the nearest folder that is.
function nearestFolder(folder: string): string {
  return existsSync(folder) ? folder : nearestFolder(path.dirname(folder));
}

/** Adds a folder and all below it that may hold sources. */
function addTree(folder: string, folders: Set<string>): void {
  folders.add(folder);
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const ours = entry.isDirectory() && entry.name !== 'node_modules' && !entry.name.startsWith('.');
    if (ours) addTree(path.join(folder, entry.name), folders);
  }
}

/** Watches a set of folders, which may be deleted meanwhile. */
export class WatchedFolders {
  readonly #watchers = new Map<string, FSWatcher>();

  constructor(
    readonly onChange: () => void,
    readonly log: Logger | undefined,
  ) {}

  /** Watches these folders and no others. @returns whether one is new */
  set(folders: ReadonlySet<string>): boolean {
    for (const [folder, watcher] of this.#watchers) if (!folders.has(folder)) this.#close(folder, watcher);
    const added = [...folders].filter((folder) => !this.#watchers.has(folder));
    for (const folder of added) this.#open(folder);
    return added.length > 0;
  }

  #open(folder: string): void {
    const watcher = watch(folder, this.onChange);
    watcher.on('error', (error) => {
      // The folder was deleted, or the system allows no more watches: logs it, and continues with the others.
      this.log?.warn({ folder, reason: error.message }, 'a folder is no longer watched');
      this.#close(folder, watcher);
      this.onChange();
    });
    this.#watchers.set(folder, watcher);
  }

  #close(folder: string, watcher: FSWatcher): void {
    watcher.close();
    this.#watchers.delete(folder);
  }
}

/** Turns bursts of changes into single signals to wait for. */
export class Bell {
  #rung = false;
  #wake: (() => void) | undefined;

  constructor(
    readonly debounceMs: number,
    readonly signal: AbortSignal | undefined,
  ) {
    signal?.addEventListener('abort', () => this.#wake?.(), { once: true });
  }

  ring(): void {
    this.#rung = true;
    this.#wake?.();
  }

  /** Waits for a ring and for the burst to end; false when the watch is over. */
  async next(): Promise<boolean> {
    if (!this.#rung && !this.#over()) await new Promise<void>((resolve) => (this.#wake = resolve));
    if (!this.#over()) await new Promise((resolve) => setTimeout(resolve, this.debounceMs));
    this.#rung = false;
    return !this.#over();
  }

  #over(): boolean {
    return this.signal?.aborted === true;
  }
}
