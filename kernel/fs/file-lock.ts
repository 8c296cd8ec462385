import { randomBytes } from 'node:crypto';
import { readdir, rm, rmdir, stat, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fwError } from '../errors/index.js';
import { hasCode } from './errno.js';
import { FS_ERRORS } from './errors.js';
import { isFolder, makeOwnFolder } from './folders.js';
import { livenessOf, ownIdentity } from './process-identity.js';
import { systemClock } from '../contracts/clock.js';
import { statsAt } from './read-file.js';

/** How long to wait for a lock. */
export interface LockOptions {
  /** Milliseconds to wait, first for earlier calls in this process, then for other processes; default 10 000. */
  readonly timeoutMs?: number;
  /** Gives up waiting when aborted. */
  readonly signal?: AbortSignal | undefined;
}

const HEARTBEAT_MS = 5_000;
/** A claim whose owner cannot be looked up is taken for abandoned when it was not touched for so long. */
const DEAD_AFTER_MS = 30_000;

/** By directory: the end of the queue of callers within this process. */
const queues = new Map<string, Promise<unknown>>();

/**
 * Runs work while no other caller of this function, in this process or another one, runs work for the same directory.
 *
 * Each contender makes a claim, a file of its own in `.fw/lock`, and only then looks for others: of two contenders at least
 * one sees the other, so that both cannot go on. Nobody ever takes over another one's file, which is where lock files
 * usually race; claims of processes that died are passed over and removed. The directory is gone when nobody needs it.
 *
 * Not reentrant: work that asks for the lock that it holds waits for itself, until it times out.
 *
 * @param directory - absolute and resolved
 * @throws FwError `FW_LOCK_TIMEOUT`, `FW_LOCK_DIRECTORY`, the signal's reason, and whatever the work throws
 */
export async function withFileLock<Result>(
  directory: string,
  work: () => Promise<Result>,
  options: LockOptions = {},
): Promise<Result> {
  const before = queues.get(directory) ?? Promise.resolve();
  const turn = ended(before, directory, options).then(() => exclusively(directory, work, options));
  // The next caller waits until this one and those before it have ended, whether or not they succeeded.
  const end = Promise.allSettled([before, turn]);
  queues.set(directory, end);
  void end.then(() => {
    if (queues.get(directory) === end) queues.delete(directory);
  });
  return turn;
}

async function ended(
  before: Promise<unknown>,
  directory: string,
  { timeoutMs = 10_000, signal }: LockOptions,
): Promise<void> {
  signal?.throwIfAborted();
  let onAbort = ignore;
  let timer: NodeJS.Timeout | undefined;
  const givenUp = new Promise<never>((_, missed) => {
    onAbort = () => missed(signal?.reason as Error);
    signal?.addEventListener('abort', onAbort, { once: true });
    timer = setTimeout(() => missed(lockTimeout(directory, timeoutMs, ['this process itself'])), timeoutMs);
  });
  try {
    await Promise.race([before, givenUp]);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', onAbort);
  }
}

function lockTimeout(directory: string, timeoutMs: number, claims: readonly string[]): Error {
  return fwError(FS_ERRORS.FW_LOCK_TIMEOUT, { directory, timeoutMs, claims });
}

const ignore = (): void => undefined;

function unlessMissing(error: unknown): void {
  if (!hasCode(error, 'ENOENT')) throw error;
}

async function exclusively<Result>(
  directory: string,
  work: () => Promise<Result>,
  { timeoutMs = 10_000, signal }: LockOptions,
): Promise<Result> {
  const folder = path.join(directory, '.fw', 'lock');
  const claim = await claimed(folder, directory, timeoutMs, signal);
  const heartbeat = setInterval(() => void touch(claim), HEARTBEAT_MS).unref();
  try {
    return await work();
  } finally {
    clearInterval(heartbeat);
    await withdraw(claim);
  }
}

async function claimed(
  folder: string,
  directory: string,
  timeoutMs: number,
  signal: AbortSignal | undefined,
): Promise<string> {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    const claim = path.join(folder, claimName());
    await makeClaim(claim, directory);
    // A claim of a living process keeps everybody out, so it must not stay where the others cannot be told.
    const others = await otherClaims(folder, claim).catch(async (cause: unknown) => {
      await withdraw(claim);
      throw unlockable(directory, cause);
    });
    if (others.length === 0) return claim;
    await withdraw(claim);
    const left = deadline - performance.now();
    signal?.throwIfAborted();
    if (left <= 0) throw lockTimeout(directory, timeoutMs, others);
    // A random pause, or two contenders would collide again and again.
    await delay(Math.min(left, 5 + Math.random() * 45));
  }
}

async function makeClaim(claim: string, directory: string): Promise<void> {
  const folder = path.dirname(claim);
  for (;;) {
    try {
      await makeOwnFolder(path.dirname(folder));
      await makeOwnFolder(folder);
      return await writeFile(claim, '', { flag: 'wx' });
    } catch (cause) {
      // The folder existed a moment ago: another process removed it after its work.
      const wasTidied = hasCode(cause, 'ENOENT') && (await statsAt(directory)) !== undefined;
      if (wasTidied) continue;
      await withdraw(claim);
      throw unlockable(directory, cause);
    }
  }
}

function unlockable(directory: string, cause: unknown): Error {
  return fwError(FS_ERRORS.FW_LOCK_DIRECTORY, { directory, reason: (cause as Error).message }, { cause });
}

// The host name is for people who read a message; the machine identifies where the process id is valid.
function claimName(): string {
  const { machine, pid, start } = ownIdentity();
  return `${hostname()}.${pid}.${start}-${machine}.${randomBytes(8).toString('hex')}`;
}

async function otherClaims(folder: string, own: string): Promise<readonly string[]> {
  // The file system's clock, by which all claims are dated; it need not be this machine's.
  const now = (await stat(own)).mtimeMs;
  const claims = (await readdir(folder)).filter((name) => name !== path.basename(own));
  const alive = await Promise.all(claims.map((name) => isAlive(path.join(folder, name), now)));
  // The name of a claim is never reused, so removing it cannot remove another one.
  for (const [index, name] of claims.entries()) if (!alive[index]) await rm(path.join(folder, name), { force: true });
  return claims.filter((_, index) => alive[index]);
}

/** Whether somebody holds or wants the lock of a directory now. Changes nothing. */
export async function hasLiveOwner(directory: string): Promise<boolean> {
  const folder = path.join(directory, '.fw', 'lock');
  const claims = (await isFolder(folder)) ? await readdir(folder).catch(() => []) : [];
  const alive = await Promise.all(claims.map((name) => isAlive(path.join(folder, name), systemClock.now())));
  return alive.includes(true);
}

// A process of this machine is looked up: a stopped or busy one keeps its claim while it lives, and one that got the id of a dead process
// does not inherit its claim. An owner on another machine is alive while it touches its claim.
async function isAlive(claim: string, now: number): Promise<boolean> {
  const stats = await stat(claim).catch(() => undefined);
  if (!stats) return false;
  const [, pid, start, machine] = /\.(\d+)\.(\d+)-([0-9a-f]+)\.[0-9a-f]+$/.exec(claim) ?? [];
  const liveness = machine ? livenessOf({ machine, pid: Number(pid), start: start as string }) : 'unknown';
  return liveness === 'alive' || (liveness === 'unknown' && now - stats.mtimeMs < DEAD_AFTER_MS);
}

// A claim that cannot be touched goes stale; the work continues, still protected by the digests of the change set.
async function touch(claim: string): Promise<void> {
  await writeFile(claim, '.', { flag: 'r+' }).catch(ignore);
}

// A claim that cannot be removed goes stale; the finished work must not be reported as failed because of it.
async function withdraw(claim: string): Promise<void> {
  const folder = path.dirname(claim);
  await rm(claim, { force: true }).catch(ignore);
  // Fails if another contender uses the folder.
  await rmdir(folder)
    .catch(unlessMissing)
    .then(() => rmdir(path.dirname(folder)))
    .catch(ignore);
}
