// Ends the process like `kill -9` at one of its file system calls. Loaded with `node --import`; three variables steer it:
// FW_KILL_AT is the number of the call, from 1 (0: never), FW_KILL_UNDER the folder whose calls count, and FW_KILL_COUNT
// a file that receives how many there were, when the process comes to its end.
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import os from 'node:os';
import path from 'node:path';

const at = Number(process.env.FW_KILL_AT ?? 0);
const under = path.resolve(process.env.FW_KILL_UNDER ?? '/');
const report = process.env.FW_KILL_COUNT;
const { writeFileSync } = fs;
const pathOf = new WeakMap();
let count = 0;

function reached() {
  count += 1;
  return count === at;
}

function end() {
  process.kill(process.pid, 'SIGKILL');
  // Nothing may run between kill and the arrival of the signal.
  for (;;);
}

const isWatched = (candidate) => {
  const text = candidate instanceof URL ? candidate.pathname : candidate;
  return typeof text === 'string' && `${path.resolve(text)}/`.startsWith(under === '/' ? under : `${under}/`);
};

const CHANGING = ['mkdir', 'mkdtemp', 'rename', 'link', 'symlink', 'unlink', 'rm', 'rmdir', 'copyFile', 'cp', 'chmod', 'chown', 'truncate', 'utimes']; // prettier-ignore
const WHOLE = ['writeFile', 'appendFile'];

function watch(owner, name, isWatchedCall) {
  const original = owner[name];
  if (original === undefined) return;
  owner[name] = function (...args) {
    if (isWatchedCall(this, args) && reached()) end();
    return original.apply(this, args);
  };
}

const ofPaths = (_, args) => args.slice(0, 2).some(isWatched);
for (const name of [...CHANGING, ...WHOLE]) {
  watch(fs.promises, name, ofPaths);
  watch(fs, `${name}Sync`, ofPaths);
}

const { open } = fs.promises;
const isWriting = (flags = 'r') =>
  typeof flags === 'number' ? (flags & (fs.constants.O_WRONLY | fs.constants.O_RDWR)) !== 0 : flags !== 'r';
fs.promises.open = async function (file, flags, mode) {
  if (isWatched(file) && isWriting(flags) && reached()) end();
  const handle = await open.call(this, file, flags, mode);
  if (isWatched(file)) pathOf.set(handle, file);
  return handle;
};

const probe = await open(os.devNull, 'r');
const FileHandle = Object.getPrototypeOf(probe);
await probe.close();
const ofHandle = (handle) => pathOf.has(handle);
for (const name of ['sync', 'datasync', 'chmod', 'chown', 'truncate', 'utimes']) watch(FileHandle, name, ofHandle);

// A large write may be killed half way.
for (const name of WHOLE) {
  const whole = FileHandle[name];
  FileHandle[name] = async function (content, ...others) {
    if (!ofHandle(this)) return whole.call(this, content, ...others);
    if (reached()) end();
    if (reached()) {
      const bytes = Buffer.from(content);
      await whole.call(this, bytes.subarray(0, bytes.length >> 1), ...others);
      end();
    }
    return whole.call(this, content, ...others);
  };
}
syncBuiltinESMExports();

if (report !== undefined) process.on('exit', () => writeFileSync(report, String(count)));
