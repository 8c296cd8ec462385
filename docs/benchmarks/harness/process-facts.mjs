import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);

/**
 * Resident memory of a running process in MiB.
 *
 * @param {number} pid
 */
export async function rssMiB(pid) {
  const kib = process.platform === 'linux' ? await rssFromProc(pid) : await rssFromPs(pid);
  return kib / 1024;
}

/** @param {number} pid */
async function rssFromProc(pid) {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1]);
}

/** @param {number} pid */
async function rssFromPs(pid) {
  const { stdout } = await run('ps', ['-o', 'rss=', '-p', String(pid)]);
  return Number(stdout);
}

/**
 * Processor time that the live threads of a process have used, in milliseconds; NaN where the system does not tell
 * (anything but Linux). Time in the scheduler's accounts is in nanoseconds, unlike the 10 ms ticks of `/proc/<pid>/stat`.
 *
 * @param {number} pid
 */
export async function cpuMs(pid) {
  if (process.platform !== 'linux') return NaN;
  const threads = await readdir(`/proc/${pid}/task`);
  const used = await Promise.all(threads.map((thread) => readFile(`/proc/${pid}/task/${thread}/schedstat`, 'utf8')));
  return used.reduce((sum, text) => sum + Number(text.split(' ')[0]), 0) / 1e6;
}
