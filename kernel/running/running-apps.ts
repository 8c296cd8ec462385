import { randomBytes } from 'node:crypto';
import { lstatSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { type Static, type TSchema, Type } from 'typebox';
import { livenessOf, ownIdentity, type ProcessIdentity, readTextFile, stateFolder } from '../fs/index.js';
import { validatorOf } from '../schema/index.js';

/** Below the root of a project: one file for each process that serves it. */
const FOLDER = path.join('.fw', 'running');
const MAX_ENTRIES = 50;
const MAX_TEXT = 2_000;
const MAX_ADDRESSES = 20;
const MAX_BYTES = 64 * 1024;

const Text = Type.String({ maxLength: MAX_TEXT });
const Identity = Type.Object({ machine: Text, pid: Type.Integer({ minimum: 2 }), start: Text });
const State = Type.Enum(['starting', 'running', 'building', 'failed']);
const Entry = Type.Object({
  command: Type.Enum(['dev', 'start']),
  /** Empty before the application has said how it is called. */
  app: Text,
  profile: Text,
  since: Text,
  nonce: Type.String({ pattern: '^[0-9a-f]{32}$' }),
  /** The process to end: the one that serves, or the one that would start it again. */
  process: Identity,
  /** `starting` until the first outcome, `running`, `building` while a change is on its way, `failed` when something is to be mended. */
  state: State,
  addresses: Type.Array(Type.Object({ label: Text, url: Text }), { maxItems: MAX_ADDRESSES }),
  /** What is wrong, in words; with `failed`. */
  problem: Type.Optional(Text),
});

/** Facts that a process publishes while it serves a project. */
export type RunningApp = Static<typeof Entry>;

/** Facts that change while a process serves. */
export interface ServingState extends Pick<RunningApp, 'state' | 'app' | 'problem'> {
  readonly addresses: readonly { readonly label: string; readonly url: string }[];
}

/**
 * The record below `.fw/running` of a project that this process serves it, and a confirmation in the user's own state folder. Tools read
 * the first record, which anybody could have written; the second one vouches for it.
 */
export class RunningEntry {
  readonly nonce = randomBytes(16).toString('hex');
  readonly #since = new Date().toISOString();
  readonly #file: string;

  /** @param ending - the process that has to end for the application to end */
  constructor(
    root: string,
    private readonly facts: Pick<RunningApp, 'command' | 'profile'>,
    private readonly ending: ProcessIdentity = ownIdentity(),
  ) {
    this.#file = path.join(root, FOLDER, `${process.pid}.json`);
    for (const file of [this.#file, vouchFile(this.nonce)]) removeDead(path.dirname(file));
    // Removed at every exit but a kill; then readers see that the process is gone.
    process.once('exit', this.remove);
  }

  /** Writes the current state. @throws the error of the file system */
  write({ addresses, problem, ...now }: ServingState): void {
    const { machine, pid, start } = this.ending;
    const entry: RunningApp = {
      ...this.facts,
      ...now,
      since: this.#since,
      nonce: this.nonce,
      process: { machine, pid, start },
      addresses: addresses.slice(0, MAX_ADDRESSES).map(({ label, url }) => ({ label, url })),
      ...(problem !== undefined && { problem: problem.slice(0, MAX_TEXT) }),
    };
    write(vouchFile(this.nonce), entry.process);
    write(this.#file, entry);
  }

  /** Removes both records. */
  readonly remove = (): void => {
    process.off('exit', this.remove);
    for (const file of [this.#file, vouchFile(this.nonce)]) rmSync(file, { force: true });
  };
}

/** Processes that serve a project, newest first, without ended ones. The entries are untrusted: anybody may have written them. */
export async function runningApps(root: string): Promise<readonly RunningApp[]> {
  const folder = path.join(root, FOLDER);
  const names = await readdir(folder).catch(() => []);
  const files = names.filter((name) => /^\d+\.json$/.test(name)).slice(0, MAX_ENTRIES);
  const entries = await Promise.all(files.map((name) => readJson(path.join(folder, name), Entry)));
  return entries
    .flatMap((entry) => (entry && livenessOf(entry.process) !== 'dead' ? [entry] : []))
    .sort((one, other) => other.since.localeCompare(one.since));
}

/** Folders of a workspace that are looked at, and how deep they lie: `shop`, or `services/shop`. */
const MAX_PROJECTS = 200;
const MAX_DEPTH = 2;
const NO_PROJECTS = /^\.|^(?:node_modules|dist|vendor|generated|coverage)$/;

/** Processes that serve a workspace: those of the project that it is, else those of the projects in its folders. As untrusted. */
export async function runningAppsIn(workspace: string): Promise<readonly RunningApp[]> {
  const own = await runningApps(workspace);
  if (own.length > 0) return own;
  const found = await Promise.all((await foldersIn(workspace, MAX_DEPTH)).map(runningApps));
  return found.flat();
}

async function foldersIn(folder: string, depth: number): Promise<readonly string[]> {
  if (depth === 0) return [];
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const folders = entries
    .filter((entry) => entry.isDirectory() && !NO_PROJECTS.test(entry.name))
    .slice(0, MAX_PROJECTS)
    .map(({ name }) => path.join(folder, name));
  const below = await Promise.all(folders.map((each) => foldersIn(each, depth - 1)));
  return [...folders, ...below.flat()].slice(0, MAX_PROJECTS);
}

/**
 * Whether an entry was written by a process of this user, and the process that it names is that one still: by its start time, and by
 * what the user's own state folder says of the nonce. Only such a process may be ended.
 */
export async function isVouched({ nonce, process: { machine, pid, start } }: RunningApp): Promise<boolean> {
  const vouched = await readJson(vouchFile(nonce), Identity);
  return (
    vouched !== undefined &&
    vouched.machine === machine &&
    vouched.pid === pid &&
    vouched.start === start &&
    livenessOf(vouched) === 'alive'
  );
}

function vouchFile(nonce: string): string {
  return path.join(stateFolder(), 'running', `${nonce}.json`);
}

// Removes the records of processes that were killed.
function removeDead(folder: string): void {
  for (const name of namesIn(folder).filter((each) => each.endsWith('.json'))) {
    const file = path.join(folder, name);
    const written = writtenIn(file);
    if (written && livenessOf(written) === 'dead') rmSync(file, { force: true });
  }
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    // Nobody has written there yet.
    return [];
  }
}

function writtenIn(file: string): ProcessIdentity | undefined {
  try {
    const stats = lstatSync(file);
    if (!stats.isFile() || stats.size > MAX_BYTES) return undefined;
    const value = JSON.parse(readFileSync(file, 'utf8')) as { readonly process?: unknown };
    const identity = value.process ?? value;
    return validatorOf(Identity).check(identity).length === 0 ? (identity as ProcessIdentity) : undefined;
  } catch {
    // Gone meanwhile, or not what fw writes: it stays as it is.
    return undefined;
  }
}

function write(file: string, value: object): void {
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  const beside = `${file}.${process.pid}`;
  writeFileSync(beside, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600 });
  renameSync(beside, file);
}

async function readJson<Schema extends TSchema>(file: string, schema: Schema): Promise<Static<Schema> | undefined> {
  try {
    const value: unknown = JSON.parse(await readTextFile(file, { maxBytes: MAX_BYTES }));
    return validatorOf(schema).check(value).length === 0 ? (value as Static<Schema>) : undefined;
  } catch {
    // Missing or invalid: the entry is ignored.
    return undefined;
  }
}
