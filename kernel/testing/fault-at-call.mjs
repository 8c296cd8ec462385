// A file system that fails at one of a process' calls. Loaded with `node --import`; variables steer it: FW_KILL_AT is the number of the
// call, from 1 (0: never), at which the process ends like by `kill -9`; FW_FULL_AT the one from which on the disk is full, so that all that
// needs space is refused with ENOSPC, and what frees space is not. FW_FAULT_UNDER is the folder whose calls count, and FW_FAULT_COUNT a file
// that receives how many there were, when the process comes to its end. A process that tries one call after another imports
// `fillDiskFrom`.
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import os from 'node:os';
import path from 'node:path';

const killAt = Number(process.env.FW_KILL_AT ?? 0);
let fullAt = Number(process.env.FW_FULL_AT ?? 0);
const under = path.resolve(process.env.FW_FAULT_UNDER ?? '/');
const report = process.env.FW_FAULT_COUNT;
const { writeFileSync } = fs;
const pathOf = new WeakMap();
let count = 0;

/** Counts from zero again, with a disk that is full from this call on (0: never). */
export function fillDiskFrom(call) {
  count = 0;
  fullAt = call;
}

/** Counts a call; ends the process if it is its turn. @returns whether the disk is full by now */
function isFullNow() {
  count += 1;
  if (count === killAt) end();
  return fullAt > 0 && count >= fullAt;
}

function end() {
  process.kill(process.pid, 'SIGKILL');
  // Nothing may run between kill and the arrival of the signal.
  for (;;);
}

const noSpace = (syscall) =>
  Object.assign(new Error(`ENOSPC: no space left on device, ${syscall}`), { code: 'ENOSPC', errno: -28, syscall });

const isWatched = (candidate) => {
  const text = candidate instanceof URL ? candidate.pathname : candidate;
  return typeof text === 'string' && `${path.resolve(text)}/`.startsWith(under === '/' ? under : `${under}/`);
};

const FREEING = ['rename', 'unlink', 'rm', 'rmdir', 'chmod', 'chown', 'truncate', 'utimes'];
const FILLING = ['mkdir', 'mkdtemp', 'link', 'symlink', 'copyFile', 'cp'];
const WHOLE = ['writeFile', 'appendFile'];

/** @param {boolean} needsSpace - whether a full disk refuses the call */
function watch(owner, name, isWatchedCall, needsSpace) {
  const original = owner[name];
  if (original === undefined) return;
  owner[name] = function (...args) {
    if (!isWatchedCall(this, args) || !isFullNow() || !needsSpace) return original.apply(this, args);
    if (name.endsWith('Sync')) throw noSpace(name);
    return Promise.reject(noSpace(name));
  };
}

const ofPaths = (_, args) => args.slice(0, 2).some(isWatched);
for (const name of [...FREEING, ...FILLING, ...WHOLE]) {
  watch(fs.promises, name, ofPaths, !FREEING.includes(name));
  watch(fs, `${name}Sync`, ofPaths, !FREEING.includes(name));
}

const { open } = fs.promises;
const isWriting = (flags = 'r') =>
  typeof flags === 'number' ? (flags & (fs.constants.O_WRONLY | fs.constants.O_RDWR)) !== 0 : flags !== 'r';
fs.promises.open = async function (file, flags, mode) {
  if (isWatched(file) && isWriting(flags) && isFullNow()) throw noSpace('open');
  const handle = await open.call(this, file, flags, mode);
  if (isWatched(file)) pathOf.set(handle, file);
  return handle;
};

const probe = await open(os.devNull, 'r');
const FileHandle = Object.getPrototypeOf(probe);
await probe.close();
const ofHandle = (handle) => pathOf.has(handle);
for (const name of ['chmod', 'chown', 'truncate', 'utimes']) watch(FileHandle, name, ofHandle, false);
// Some file systems find only now that they have no space.
for (const name of ['sync', 'datasync']) watch(FileHandle, name, ofHandle, true);

// A large write may end half way.
for (const name of WHOLE) {
  const whole = FileHandle[name];
  FileHandle[name] = async function (content, ...others) {
    if (!ofHandle(this)) return whole.call(this, content, ...others);
    if (isFullNow()) throw noSpace('write');
    // Counted at once, because the write of the first half lets other calls in.
    count += 1;
    const [isKilled, isFull] = [count === killAt, count === fullAt];
    if (isKilled || isFull) {
      const bytes = Buffer.from(content);
      await whole.call(this, bytes.subarray(0, bytes.length >> 1), ...others);
      if (isKilled) end();
      throw noSpace('write');
    }
    return whole.call(this, content, ...others);
  };
}
syncBuiltinESMExports();

if (report !== undefined) process.on('exit', () => writeFileSync(report, String(count)));
