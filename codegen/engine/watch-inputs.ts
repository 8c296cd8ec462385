import { type Dirent, existsSync, type FSWatcher, readdirSync, watch } from 'node:fs';
import path from 'node:path';
import type { Logger } from '../../kernel/contracts/index.js';
import { messageOf } from '../../kernel/errors/index.js';

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
  const folders = new WatchedFolders(
    () => bell.ring(),
    (folder, reason) => options.log?.warn({ folder, reason }, 'a folder is not watched'),
  );
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
  for (const entry of entriesOf(folder)) {
    const ours = entry.isDirectory() && entry.name !== 'node_modules' && !entry.name.startsWith('.');
    if (ours) addTree(path.join(folder, entry.name), folders);
  }
}

function entriesOf(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    // It was deleted since it was seen.
    return [];
  }
}

/** Watches a set of folders. One that cannot be watched is left out; the others are watched all the same. */
export class WatchedFolders {
  readonly #watchers = new Map<string, FSWatcher>();
  /** Folders whose loss was reported, until they are watched again. */
  readonly #lost = new Set<string>();

  /** @param onLost - told once of each folder that is there and cannot be watched, such as beyond the limit of the system */
  constructor(
    readonly onChange: () => void,
    readonly onLost: (folder: string, reason: string) => void,
  ) {}

  /** Watches these folders and no others. @returns whether the watch of one began */
  set(folders: ReadonlySet<string>): boolean {
    for (const [folder, watcher] of this.#watchers) if (!folders.has(folder)) this.#close(folder, watcher);
    const added = [...folders].filter((folder) => !this.#watchers.has(folder));
    return added.filter((folder) => this.#open(folder)).length > 0;
  }

  #open(folder: string): boolean {
    try {
      const watcher = watch(folder, (_event, name) => {
        // Its own name: the folder was deleted or moved, and one that has its path then is another one, to be watched anew.
        if (name === path.basename(folder)) this.#close(folder, watcher);
        this.onChange();
      });
      watcher.on('error', (error) => {
        this.#close(folder, watcher);
        this.#tellLost(folder, error);
        this.onChange();
      });
      this.#watchers.set(folder, watcher);
      this.#lost.delete(folder);
      return true;
    } catch (error) {
      this.#tellLost(folder, error);
      return false;
    }
  }

  #tellLost(folder: string, error: unknown): void {
    if (this.#lost.has(folder) || !existsSync(folder)) return;
    this.#lost.add(folder);
    this.onLost(folder, messageOf(error));
  }

  #close(folder: string, watcher: FSWatcher): void {
    watcher.close();
    if (this.#watchers.get(folder) === watcher) this.#watchers.delete(folder);
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
