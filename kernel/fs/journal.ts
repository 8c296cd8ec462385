import { createHmac, randomBytes } from 'node:crypto';
import { open, readdir, rename, rm, rmdir } from 'node:fs/promises';
import path from 'node:path';
import { isSameText } from '../secrets/index.js';
import { flushFolders, isFolder, makeOwnFolder } from './folders.js';
import { ensureJournalKey, type JournalKey, readJournalKey } from './journal-key.js';
import type { ProcessIdentity } from './process-identity.js';
import { readTextFile } from './read-file.js';
import type { Root } from './roots.js';

/** The planned change of one file. Its temporary names are in the same folder as the file. */
export interface JournalFile {
  /** Relative to the root, with `/`. */
  readonly path: string;
  /** Digest of the old content; null for a new file. */
  readonly before: string | null;
  /** Digest of the new content; null for a deletion. */
  readonly after: string | null;
  /** Temporary name of the new content; null for a deletion. */
  readonly fresh: string | null;
  /** Temporary name of the old content; null for a new file. */
  readonly kept: string | null;
}

/** What a write is about to do, so that another process can finish or undo it. */
export interface JournalRecord {
  /** RFC 3339, UTC. */
  readonly at: string;
  readonly files: readonly JournalFile[];
  /** Folders that do not exist yet, outermost first; relative to the root, with `/`. */
  readonly folders: readonly string[];
  /** A new folder that is filled under another name and gets its own at the end. */
  readonly newFolder?: { readonly fresh: string; readonly name: string };
  /** Follow-up work after the changes, e.g. code generation. */
  readonly followUp?: { readonly kind: string; readonly owner: ProcessIdentity };
}

/**
 * `begun`: the write has to be undone. `done`: the changes are final, and only temporary files have to be removed. `due`: only the
 * follow-up work is left.
 */
type JournalState = 'begun' | 'done' | 'due';

/** A journal that lies in a project. */
export interface FoundJournal {
  /** Relative to the root, with `/`. */
  readonly file: string;
  readonly state: JournalState;
  /** Undefined when it is not signed with the key of this user for this folder: then its content is not trusted. */
  readonly record: JournalRecord | undefined;
}

const FOLDER = path.join('.fw', 'journal');
const WRITING = /^[0-9a-f]{16}\.writing$/;
const COMPLETE = /^[0-9a-f]{16}\.(begun|done|due)$/;
const STATES: readonly JournalState[] = ['begun', 'done', 'due'];
const MAX_BYTES = 64 << 20;
const UNSIGNED = '-';

/**
 * The journal of one write, a file in `.fw/journal`. Its name is the commit marker: `.begun` means that the write has to be undone, `.done`
 * that it is final, `.due` that its follow-up work is left. Marking is one rename, which works on a full disk too.
 *
 * The first line is an HMAC over the root and the rest: a project that came from elsewhere may bring files that look like a journal, and
 * must not be able to have files overwritten.
 */
export class Journal {
  private constructor(
    private readonly root: Root,
    private readonly id: string,
  ) {}

  /** Writes a journal; when this returns, it is on the disk. The caller holds the lock of the root. */
  static async begin(root: Root, record: JournalRecord): Promise<Journal> {
    const folder = path.join(root.resolved, FOLDER);
    await makeOwnFolder(path.dirname(folder));
    await makeOwnFolder(folder);
    const journal = new Journal(root, randomBytes(8).toString('hex'));
    await journal.#write(signed(await ensureJournalKey(root), root, JSON.stringify(record)));
    return journal;
  }

  /**
   * Marks the changes as final.
   *
   * @returns whether the mark is on the disk; until it is, a power failure may take it back, and undoing needs the old content
   */
  async done(): Promise<boolean> {
    await rename(this.#file('begun'), this.#file('done'));
    return flushFolders([path.dirname(this.#file('done'))]).then(
      () => true,
      () => false,
    );
  }

  /** Marks that only the follow-up work is left. */
  async due(): Promise<void> {
    await markDue(this.root, this.#file('done'));
  }

  /** Removes the journal, once nothing is left to do. */
  async remove(): Promise<void> {
    for (const state of STATES) await removeJournal(this.root, this.#file(state));
  }

  async #write(text: string): Promise<void> {
    const writing = this.#file('writing');
    try {
      const handle = await open(writing, 'wx', 0o600);
      await handle
        .writeFile(text)
        .then(() => handle.sync())
        .finally(() => handle.close());
      await rename(writing, this.#file('begun'));
      const folder = path.dirname(writing);
      await flushFolders([folder, path.dirname(folder), this.root.resolved]);
    } catch (error) {
      for (const name of ['writing', 'begun'] as const) await rm(this.#file(name), { force: true });
      await removeFolder(this.root);
      throw error;
    }
  }

  #file(state: JournalState | 'writing'): string {
    return path.join(this.root.resolved, FOLDER, `${this.id}.${state}`);
  }
}

/** The journals of a root, oldest first. Follows no link, writes nothing. */
export async function journalsIn(root: Root): Promise<readonly FoundJournal[]> {
  const names = (await namesIn(root)).filter((name) => COMPLETE.test(name));
  if (names.length === 0) return [];
  const key = await readJournalKey(root);
  const found = await Promise.all(names.map((name) => foundJournal(root, name, key)));
  return found.sort((one, other) => ((one.record?.at ?? '') < (other.record?.at ?? '') ? -1 : 1));
}

/** Marks that only the follow-up work of a finished write is left. */
export async function markDue(root: Root, file: string): Promise<void> {
  const from = path.resolve(root.resolved, file);
  await rename(from, from.replace(/\.done$/, '.due'));
}

/** Takes one journal away, by its path. */
export async function removeJournal(root: Root, file: string): Promise<void> {
  await rm(path.resolve(root.resolved, file), { force: true });
  await removeFolder(root);
}

/** Removes journals that were not written completely: none of their changes was begun. The caller holds the lock of the root. */
export async function removeUnfinishedJournals(root: Root): Promise<void> {
  for (const name of await namesIn(root)) {
    if (WRITING.test(name)) await rm(path.join(root.resolved, FOLDER, name), { force: true });
  }
  await removeFolder(root);
}

async function foundJournal(root: Root, name: string, key: JournalKey): Promise<FoundJournal> {
  const file = path.join(FOLDER, name);
  const state = path.extname(name).slice(1) as JournalState;
  const text = await readTextFile(path.join(root.resolved, file), { maxBytes: MAX_BYTES }).catch(() => '');
  return { file: file.split(path.sep).join('/'), state, record: recordIn(text, key, root) };
}

function recordIn(text: string, key: JournalKey, root: Root): JournalRecord | undefined {
  const line = text.indexOf('\n');
  if (!('key' in key) || line < 0) return undefined;
  const body = text.slice(line + 1);
  const isOurs = isSameText(text.slice(0, line), macOf(key.key, root, body));
  return isOurs ? (JSON.parse(body) as JournalRecord) : undefined;
}

function signed(key: JournalKey, root: Root, body: string): string {
  return `${'key' in key ? macOf(key.key, root, body) : UNSIGNED}\n${body}`;
}

// The MAC includes the root: a journal is not valid in a copy of the project.
function macOf(key: Buffer, root: Root, body: string): string {
  return createHmac('sha256', key).update(`fw-journal-1\0${root.resolved}\0${body}`).digest('hex');
}

async function namesIn(root: Root): Promise<readonly string[]> {
  const folder = path.join(root.resolved, FOLDER);
  const isOwn = (await isFolder(path.dirname(folder))) && (await isFolder(folder));
  return isOwn ? readdir(folder) : [];
}

// Fails if there is another journal, or another process has removed the folder.
async function removeFolder(root: Root): Promise<void> {
  await rmdir(path.join(root.resolved, FOLDER)).catch(() => undefined);
}
