import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { fwError } from '../errors/index.js';
import { FS_ERRORS } from './errors.js';
import { hasLiveOwner, type LockOptions, withFileLock } from './file-lock.js';
import { isFolder } from './folders.js';
import {
  type FoundJournal,
  journalsIn,
  type JournalRecord,
  markDue,
  removeJournal,
  removeUnfinishedJournals,
} from './journal.js';
import { livenessOf } from './process-identity.js';
import { finish, type LeftFile, undo } from './repair.js';
import { openRoots, type Root } from './roots.js';

/** A write that was interrupted, and what became of it. */
export interface InterruptedWrite {
  /**
   * `undone`: everything is as it was before; `finished`: everything is as it was to be; `pending`: the next command that
   * writes decides; `due`: it stands, but what follows from it is still to be done; `followed`: it stands, and what follows from
   * it was done now; `foreign`: the journal was not made here, and nothing is done about it.
   */
  readonly outcome: 'undone' | 'finished' | 'pending' | 'due' | 'followed' | 'foreign';
  /** The journal, relative to the root, with `/`. */
  readonly journal: string;
  /** Files that the write was about, relative to the root; none of a foreign journal. */
  readonly files: readonly string[];
  /** Files that were left as they are, because somebody has changed them since or the system refused. */
  readonly left: readonly LeftFile[];
  /** What to tell a person or a model: one sentence or two. */
  readonly text: string;
}

/** How to put interrupted writes right. */
export interface RecoverOptions extends LockOptions {
  /** Does what follows from a write that stands; left out, it stays due. */
  readonly followUp?: (kind: string, root: string) => Promise<FollowedUp>;
}

/** What became of work that follows from a write. */
export interface FollowedUp {
  /** False when it could not be done, so that it stays due. */
  readonly isDone: boolean;
  /** What was done, or why not: the end of a sentence. */
  readonly text: string;
}

/**
 * Puts right what writes that were interrupted (killed, or by a power failure) have left in a folder: undoes those that did
 * not come to their end, tidies up after those that did, and goes on with what follows from these. Waits for whoever is writing there now. Costs one look at `.fw` when
 * there is nothing to do.
 *
 * @param directory - existing folder
 * @returns what was done, oldest first
 * @throws FwError `FW_PATH_ROOTS`, `FW_LOCK_TIMEOUT`, `FW_LOCK_DIRECTORY`, and whatever the follow-up throws
 */
export async function recoverWrites(
  directory: string,
  options: RecoverOptions = {},
): Promise<readonly InterruptedWrite[]> {
  const [root] = await openRoots([directory]);
  if (!(await hasTraces(root))) return [];
  const recovered = await withFileLock(root.resolved, () => recoverLocked(root), options);
  // What follows writes by itself, so the lock must be free.
  return [...recovered, ...(await followUps(root, options))];
}

/** Like {@link recoverWrites}, for who holds the lock of the root. */
export async function recoverLocked(root: Root): Promise<readonly InterruptedWrite[]> {
  await removeUnfinishedJournals(root);
  const recovered: InterruptedWrite[] = [];
  for (const journal of await journalsIn(root)) {
    // What follows is for who can do it, without the lock.
    if (journal.state !== 'due' || !journal.record) recovered.push(await recover(root, journal));
  }
  return recovered;
}

/**
 * Writes that were interrupted in a folder and that nobody has put right yet. Changes nothing, for readers.
 *
 * @param directory - a folder; one that does not exist has none
 */
export async function interruptedWrites(directory: string): Promise<readonly InterruptedWrite[]> {
  if (!(await isFolder(path.join(directory, '.fw', 'journal')))) return [];
  const [root] = await openRoots([directory]);
  // Somebody is writing right now: that is no interruption.
  if (await hasLiveOwner(root.resolved)) return [];
  const found = (await journalsIn(root)).filter((journal) => journal.state !== 'due' || isLeftDue(journal));
  return found.map((journal) => {
    if (!journal.record) return foreign(root, journal);
    return journal.state === 'due' ? due(journal, journal.record) : pending(journal, journal.record);
  });
}

async function followUps(root: Root, { followUp }: RecoverOptions): Promise<readonly InterruptedWrite[]> {
  const followed: InterruptedWrite[] = [];
  for (const journal of (await journalsIn(root)).filter(isLeftDue)) {
    const { record } = journal;
    if (!record?.followUp) continue;
    const ended = await followUp?.(record.followUp.kind, root.resolved);
    if (ended?.isDone) await removeJournal(root, journal.file);
    followed.push(ended ? afterwards(journal, record, ended) : due(journal, record));
  }
  return followed;
}

/** Of an owner that cannot be looked up: what follows from a write has ended by then. */
const LONGEST_MS = 60_000;

// Whoever wrote it may be at it right now.
function isLeftDue({ state, record }: FoundJournal): boolean {
  if (state !== 'due') return false;
  if (!record?.followUp) return true;
  const liveness = livenessOf(record.followUp.owner);
  return liveness === 'dead' || (liveness === 'unknown' && Date.now() - Date.parse(record.at) > LONGEST_MS);
}

// An empty folder is a trace as well: of somebody who was killed before there was anything in it.
async function hasTraces({ resolved }: Root): Promise<boolean> {
  const names: readonly string[] = await readdir(path.join(resolved, '.fw')).catch(() => ['none']);
  return names.length === 0 || names.includes('journal') || names.includes('lock');
}

async function recover(root: Root, journal: FoundJournal): Promise<InterruptedWrite> {
  const { record } = journal;
  if (!record) return foreign(root, journal);
  const isDone = journal.state === 'done' || (await hasItsName(root, record));
  const left = isDone ? await finish(root, record) : await undo(root, record);
  if (!left.some(({ retry }) => retry)) {
    if (isDone && record.followUp) await markDue(root, journal.file);
    else await removeJournal(root, journal.file);
  }
  return settled(journal, record, isDone ? 'finished' : 'undone', left);
}

// A new folder is whole as soon as it has its name, marked or not.
async function hasItsName({ resolved }: Root, { newFolder }: JournalRecord): Promise<boolean> {
  if (!newFolder) return false;
  const [isWaiting, isNamed] = await Promise.all(
    [newFolder.fresh, newFolder.name].map((name) => isFolder(path.join(resolved, name))),
  );
  return !isWaiting && isNamed === true;
}

function settled(
  { file }: FoundJournal,
  record: JournalRecord,
  outcome: 'undone' | 'finished',
  left: readonly LeftFile[],
): InterruptedWrite {
  const words = {
    undone: 'was undone: everything is as it was before it',
    finished: 'was finished: everything is as it was to be',
  };
  const rest = left.map(({ path: at, reason }) => ` ${at || '.'} was left as it is: ${reason}.`).join('');
  const text = `An interrupted write of ${record.at} (${named(record)}) ${words[outcome]}.${rest}`;
  return { outcome, journal: file, files: filesOf(record), left, text };
}

function pending({ file }: FoundJournal, record: JournalRecord): InterruptedWrite {
  const details = { at: record.at, files: named(record), journal: file };
  const text = fwError(FS_ERRORS.FW_JOURNAL_PENDING, details).message;
  return { outcome: 'pending', journal: file, files: filesOf(record), left: [], text };
}

function due({ file }: FoundJournal, record: JournalRecord): InterruptedWrite {
  const details = { at: record.at, files: named(record), what: workOf(record), journal: file };
  const text = fwError(FS_ERRORS.FW_JOURNAL_DUE, details).message;
  return { outcome: 'due', journal: file, files: filesOf(record), left: [], text };
}

function afterwards(
  { file }: FoundJournal,
  record: JournalRecord,
  { isDone, text: what }: FollowedUp,
): InterruptedWrite {
  const text = `A write of ${record.at} (${named(record)}) stands, but was interrupted before ${workOf(record)}: ${what}.`;
  return { outcome: isDone ? 'followed' : 'due', journal: file, files: filesOf(record), left: [], text };
}

function workOf({ followUp }: JournalRecord): string {
  return followUp?.kind ?? 'its end';
}

function foreign({ declared }: Root, { file }: FoundJournal): InterruptedWrite {
  const text = fwError(FS_ERRORS.FW_JOURNAL_FOREIGN, { journal: path.join(declared, file) }).message;
  return { outcome: 'foreign', journal: file, files: [], left: [], text };
}

function filesOf({ files, newFolder }: JournalRecord): readonly string[] {
  return newFolder ? [newFolder.name] : files.map(({ path: file }) => file);
}

const SHOWN = 5;

function named(record: JournalRecord): string {
  const files = filesOf(record);
  const more = files.length - SHOWN;
  return [...files.slice(0, SHOWN), ...(more > 0 ? [`and ${more} more`] : [])].join(', ');
}
