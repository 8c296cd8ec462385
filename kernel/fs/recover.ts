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
import { systemClock } from '../contracts/clock.js';

/** An interrupted write, and its outcome. */
export interface InterruptedWrite {
  /**
   * `undone`: all files are as before; `finished`: all changes are made; `pending`: the next command that writes repairs it; `due`: the
   * changes are made, and the follow-up work is left; `followed`: the follow-up work was done now; `foreign`: the journal was made
   * elsewhere and is ignored.
   */
  readonly outcome: 'undone' | 'finished' | 'pending' | 'due' | 'followed' | 'foreign';
  /** The journal, relative to the root, with `/`. */
  readonly journal: string;
  /** Files of the write, relative to the root; empty for a foreign journal. */
  readonly files: readonly string[];
  /** Files that were not repaired, because they have changed since or the system refused. */
  readonly left: readonly LeftFile[];
  /** Message for a person or a model: one sentence or two. */
  readonly text: string;
}

/** How to repair interrupted writes. */
export interface RecoverOptions extends LockOptions {
  /** Does the follow-up work of a finished write; without this function the work stays due. */
  readonly followUp?: (kind: string, root: string) => Promise<FollowedUp>;
}

/** Outcome of follow-up work. */
export interface FollowedUp {
  /** False when the work could not be done and stays due. */
  readonly isDone: boolean;
  /** What was done, or why it could not be done: the end of a sentence. */
  readonly text: string;
}

/**
 * Repairs writes in a folder that were interrupted by a kill or a power failure: undoes those that were not final, tidies up after those
 * that were, and does their follow-up work. Waits for a process that is writing there now. Without interrupted writes it only reads the
 * folder `.fw`.
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
  // Follow-up work takes the lock itself, so the lock must be free.
  return [...recovered, ...(await followUps(root, options))];
}

/** Like {@link recoverWrites}, for a caller that holds the lock of the root. */
export async function recoverLocked(root: Root): Promise<readonly InterruptedWrite[]> {
  await removeUnfinishedJournals(root);
  const recovered: InterruptedWrite[] = [];
  for (const journal of await journalsIn(root)) {
    // Follow-up work is left to {@link recoverWrites}, which runs it without the lock.
    if (journal.state !== 'due' || !journal.record) recovered.push(await recover(root, journal));
  }
  return recovered;
}

/**
 * Interrupted writes in a folder that are not repaired yet. Changes nothing.
 *
 * @param directory - a folder; one that does not exist has none
 */
export async function interruptedWrites(directory: string): Promise<readonly InterruptedWrite[]> {
  if (!(await isFolder(path.join(directory, '.fw', 'journal')))) return [];
  const [root] = await openRoots([directory]);
  // Another process is writing: its journal is not interrupted.
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

/** Follow-up work whose owner cannot be looked up is taken for ended after this time. */
const LONGEST_MS = 60_000;

// The process that wrote the journal may be doing the follow-up work right now.
function isLeftDue({ state, record }: FoundJournal): boolean {
  if (state !== 'due') return false;
  if (!record?.followUp) return true;
  const liveness = livenessOf(record.followUp.owner);
  return liveness === 'dead' || (liveness === 'unknown' && systemClock.now() - Date.parse(record.at) > LONGEST_MS);
}

// An empty folder counts too: its process was killed before it wrote anything.
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

// A new folder is complete as soon as it has its final name, even if the journal is not marked.
async function hasItsName({ resolved }: Root, { newFolder }: JournalRecord): Promise<boolean> {
  if (!newFolder) return false;
  const [isWaiting, isNamed] = await Promise.all(
    [newFolder.fresh, newFolder.name].map((name) => isFolder(path.join(resolved, name))),
  );
  return !isWaiting && isNamed === true;
}

function settled(
  journal: FoundJournal,
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
  return interrupted(journal, outcome, text, left);
}

function pending(journal: FoundJournal, record: JournalRecord): InterruptedWrite {
  const details = { at: record.at, files: named(record), journal: journal.file };
  return interrupted(journal, 'pending', fwError(FS_ERRORS.FW_JOURNAL_PENDING, details).message);
}

function due(journal: FoundJournal, record: JournalRecord): InterruptedWrite {
  const details = { at: record.at, files: named(record), what: workOf(record), journal: journal.file };
  return interrupted(journal, 'due', fwError(FS_ERRORS.FW_JOURNAL_DUE, details).message);
}

function afterwards(
  journal: FoundJournal,
  record: JournalRecord,
  { isDone, text: what }: FollowedUp,
): InterruptedWrite {
  const text = `A write of ${record.at} (${named(record)}) stands, but was interrupted before ${workOf(record)}: ${what}.`;
  return interrupted(journal, isDone ? 'followed' : 'due', text);
}

function workOf({ followUp }: JournalRecord): string {
  return followUp?.kind ?? 'its end';
}

function foreign({ declared }: Root, journal: FoundJournal): InterruptedWrite {
  const details = { journal: path.join(declared, journal.file) };
  return interrupted(journal, 'foreign', fwError(FS_ERRORS.FW_JOURNAL_FOREIGN, details).message);
}

function interrupted(
  { file: journal, record }: FoundJournal,
  outcome: InterruptedWrite['outcome'],
  text: string,
  left: readonly LeftFile[] = [],
): InterruptedWrite {
  return { outcome, journal, files: record ? filesOf(record) : [], left, text };
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
