import { type Dirent, readdirSync, realpathSync, statSync, type Stats } from 'node:fs';
import path from 'node:path';
import { FileDigests } from '../../kernel/fs/index.js';

/** The parts of a project that are watched. All paths are absolute, and need not exist. */
export interface LookedAt {
  /** Project folder; only files of {@link TOP_FILES} directly in it count. */
  readonly root: string;
  /** Folders with sources, at any depth. */
  readonly sources: readonly string[];
  /** Files, and folders whose every file counts. */
  readonly whole: readonly string[];
  /** Folders that never count. */
  readonly never: readonly string[];
}

/** A change of a file. */
export interface FileEvent {
  /** Relative to the project, with forward slashes. */
  readonly path: string;
  readonly became: 'added' | 'changed' | 'removed';
}

/** The result of a look. */
export interface Look {
  readonly events: readonly FileEvent[];
  /** Folders to watch for the next change. */
  readonly folders: ReadonlySet<string>;
}

const SOURCE = /\.(?:[cm]?tsx?|[cm]?jsx?|json)$/i;
const NO_SOURCE = /\.(?:test\.[cm]?tsx?|d\.[cm]?ts|tsbuildinfo)$/i;
/** Files directly in the project folder that decide how everything is built and started. */
const TOP_FILES = /^(?:app\.config\.ts|package\.json|tsconfig[\w.-]*\.json|\.env(?:\.[\w.-]+)?)$/;
// Temporary files of editors: `#x#`, `.#x`, `x~`, `x.swp`, and Vim's `4913`.
const OF_EDITORS = /^(?:#.*#|\.#.*|.*~|.*\.sw[a-px]|4913)$/;
const NEVER = /^(?:node_modules|dist|coverage)$/;

/**
 * The files of a project, compared by their content. Events of the system are only a reason to look: they come twice, half way through a
 * save, for files that a rename replaced, and sometimes not at all.
 */
export class ProjectFiles {
  readonly #digests = new FileDigests();
  #seen = new Map<string, string>();

  /** Looks at everything. The first look finds no events. */
  look(at: LookedAt): Look {
    const isFirst = this.#seen.size === 0;
    const walk = new Walk(at);
    const now = new Map<string, string>();
    const events: FileEvent[] = [];
    for (const [file, stats] of walk.files) {
      const before = this.#seen.get(file);
      const digest = this.#digests.of(file, stats);
      // The file was deleted during the look.
      if (digest === undefined) continue;
      now.set(file, digest);
      if (before === undefined) events.push({ path: shown(at.root, file), became: 'added' });
      else if (before !== digest) events.push({ path: shown(at.root, file), became: 'changed' });
    }
    for (const file of this.#seen.keys())
      if (!now.has(file)) events.push({ path: shown(at.root, file), became: 'removed' });
    this.#seen = now;
    events.sort((one, other) => (one.path < other.path ? -1 : 1));
    return { events: isFirst ? [] : events, folders: walk.folders };
  }
}

const shown = (root: string, file: string): string => path.relative(root, file).split(path.sep).join('/');

/** One walk through all that counts. */
class Walk {
  readonly files = new Map<string, Stats>();
  readonly folders = new Set<string>();
  /** Links may lead in circles. */
  readonly #walked = new Set<string>();

  constructor(private readonly at: LookedAt) {
    this.folders.add(at.root);
    for (const { name } of entriesIn(at.root))
      if (TOP_FILES.test(name)) this.#start(path.join(at.root, name), () => true);
    for (const each of at.whole) this.#start(each, () => true);
    for (const each of at.sources) this.#start(each, isSource);
  }

  #start(file: string, counts: (name: string) => boolean): void {
    // A missing path is watched through its nearest existing folder.
    if (statOf(file) === undefined) this.folders.add(nearest(path.dirname(file)));
    else this.#enter(file, counts, true);
  }

  #enter(file: string, counts: (name: string) => boolean, mayBeLink: boolean): void {
    const stats = statOf(file);
    if (stats?.isFile()) {
      if (!counts(path.basename(file)) || OF_EDITORS.test(path.basename(file))) return;
      this.files.set(file, stats);
      this.folders.add(path.dirname(file));
      // An editor saves the target of a link, so its folder is watched too.
      if (mayBeLink) this.folders.add(path.dirname(realOf(file)));
    }
    if (stats?.isDirectory()) this.#walk(file, counts);
  }

  #walk(folder: string, counts: (name: string) => boolean): void {
    const real = realOf(folder);
    const key = `${counts === isSource} ${real}`;
    if (this.#walked.has(key) || this.at.never.includes(folder)) return;
    this.#walked.add(key);
    this.folders.add(folder).add(real);
    for (const entry of entriesIn(folder)) {
      const { name } = entry;
      if (!NEVER.test(name) && !name.startsWith('.'))
        this.#enter(path.join(folder, name), counts, entry.isSymbolicLink());
    }
  }
}

const isSource = (name: string): boolean => SOURCE.test(name) && !NO_SOURCE.test(name);

function nearest(folder: string): string {
  return statOf(folder)?.isDirectory() ? folder : nearest(path.dirname(folder));
}

// Undefined also for a file that was deleted during the look, and for a link that leads to itself.
function statOf(file: string): Stats | undefined {
  try {
    return statSync(file, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

function entriesIn(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

function realOf(file: string): string {
  try {
    return realpathSync(file);
  } catch {
    return file;
  }
}
