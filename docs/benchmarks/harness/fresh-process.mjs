import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { get } from 'node:http';
import { cpuMs, rssMiB } from './process-facts.mjs';

/**
 * A process to start, again and again.
 *
 * @typedef {object} Launch
 * @property {readonly string[]} args - of Node
 * @property {string} [cwd]
 * @property {Readonly<Record<string, string>>} [env] - on top of a clean one
 * @property {string} [input] - written to standard input at once
 * @property {RegExp} [ready] - the line of standard output that says it is up; without it the sample ends with the process
 * @property {(match: RegExpExecArray) => string} [url] - requested as soon as the process is up
 * @property {(answer: Answer) => void} [verify] - throws when the answer is not the one that all subjects have to give
 * @property {number} [timeoutMs] - default 30 s
 */

/** @typedef {{ readonly status: number, readonly headers: import('node:http').IncomingHttpHeaders, readonly body: string }} Answer */

/**
 * What a start took. `exitMs` for a process that runs to its end; `readyMs`, `answerMs` from the spawn; memory and processor
 * time after the last of them.
 *
 * @typedef {object} Start
 * @property {number} [exitMs]
 * @property {number} [readyMs]
 * @property {number} [answerMs]
 * @property {number} [rssMiB]
 * @property {number} [cpuMs]
 */

const TIMEOUT_MS = 30_000;
const STOP_MS = 5_000;

/**
 * Starts a process and measures it from the spawn: to its end, to its first line, or to its first answer.
 *
 * @param {Launch} launch
 * @returns {Promise<Record<string, number>>}
 */
export async function sampleStart(launch) {
  const from = performance.now();
  const child = spawn(process.execPath, [...launch.args], {
    cwd: launch.cwd,
    env: { PATH: process.env['PATH'] ?? '', NODE_ENV: 'production', ...launch.env },
  });
  const ended = once(child, 'exit');
  const timer = setTimeout(() => child.kill('SIGKILL'), launch.timeoutMs ?? TIMEOUT_MS);
  const said = collected(child.stderr);
  if (launch.input !== undefined) child.stdin.write(launch.input);
  try {
    return launch.ready ? await untilUp(child, launch, from, ended, said) : await untilEnd(ended, from, said);
  } finally {
    clearTimeout(timer);
    await stop(child, ended);
  }
}

/**
 * @param {Promise<unknown[]>} ended
 * @param {number} from
 * @param {() => string} said
 */
async function untilEnd(ended, from, said) {
  const [code] = await ended;
  const exitMs = performance.now() - from;
  if (code !== 0) throw new Error(`The process ended with ${code}: ${said()}`);
  return { exitMs };
}

/**
 * @param {import('node:child_process').ChildProcessWithoutNullStreams} child
 * @param {Launch} launch
 * @param {number} from
 * @param {Promise<unknown[]>} ended
 * @param {() => string} said
 */
async function untilUp(child, launch, from, ended, said) {
  const gone = ended.then(([code]) => Promise.reject(new Error(`The process ended with ${code}: ${said()}`)));
  // The race below hears of it while the process starts; afterwards its end is what we want.
  gone.catch(() => {});
  const match = await Promise.race([lineOf(child.stdout, /** @type {RegExp} */ (launch.ready)), gone]);
  /** @type {Record<string, number>} */
  const start = { readyMs: performance.now() - from };
  if (launch.url) {
    const answer = await Promise.race([request(launch.url(match)), gone]);
    start['answerMs'] = performance.now() - from;
    launch.verify?.(answer);
  }
  const pid = /** @type {number} */ (child.pid);
  return { ...start, rssMiB: await rssMiB(pid), cpuMs: await cpuMs(pid) };
}

/**
 * @param {import('node:stream').Readable} stream
 * @param {RegExp} wanted
 * @returns {Promise<RegExpExecArray>}
 */
function lineOf(stream, wanted) {
  let text = '';
  return new Promise((resolve) => {
    stream.setEncoding('utf8').on('data', (chunk) => {
      text += chunk;
      const match = wanted.exec(text);
      if (match) resolve(match);
    });
  });
}

/** @param {import('node:stream').Readable} stream */
function collected(stream) {
  let text = '';
  stream.setEncoding('utf8').on('data', (chunk) => (text = (text + chunk).slice(-4000)));
  return () => text;
}

/**
 * @param {string} url
 * @returns {Promise<Answer>}
 */
function request(url) {
  return new Promise((resolve, reject) => {
    get(url, { agent: false }, (response) => {
      let body = '';
      response.setEncoding('utf8').on('data', (chunk) => (body += chunk));
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, body }));
    }).on('error', reject);
  });
}

/**
 * @param {import('node:child_process').ChildProcess} child
 * @param {Promise<unknown[]>} ended
 */
async function stop(child, ended) {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const timer = setTimeout(() => child.kill('SIGKILL'), STOP_MS);
  child.kill('SIGTERM');
  await ended;
  clearTimeout(timer);
}
