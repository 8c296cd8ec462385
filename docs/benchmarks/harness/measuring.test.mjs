import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sampleStart } from './fresh-process.mjs';
import { slicesInFreshProcesses } from './fresh-slices.mjs';
import { pairedSlices } from './paired-slices.mjs';

const SERVER = `
  const server = require('node:http').createServer((q, s) => s.end(q.url)).listen(0, '127.0.0.1', () =>
    console.log('first\\nlistening on http://127.0.0.1:' + server.address().port));`;
const READY = /(http:\S+)/;

test('a process without a ready line is measured to its end', async () => {
  const { exitMs } = await sampleStart({ args: ['-e', '0'] });
  assert.ok(Number(exitMs) > 1);
});

test('a server is measured to its ready line and on to its first answer', async () => {
  let body = '';
  const start = await sampleStart({
    args: ['-e', SERVER],
    ready: READY,
    url: ([, url]) => `${url}/x`,
    verify: (answer) => (body = answer.body),
  });
  assert.equal(body, '/x');
  assert.ok(Number(start['answerMs']) > Number(start['readyMs']));
  assert.ok(Number(start['rssMiB']) > 10);
});

test('a process may be asked through its standard input', async () => {
  const echo = "process.stdin.on('data', (chunk) => process.stdout.write(chunk))";
  const start = await sampleStart({ args: ['-e', echo], input: 'tools/list\n', ready: /tools\/list/ });
  assert.ok(Number(start['readyMs']) > 1);
});

test('a process that fails says what it said', async () => {
  const args = ['-e', "console.error('no database'); process.exit(3)"];
  await assert.rejects(sampleStart({ args }), /ended with 3: no database/);
  await assert.rejects(sampleStart({ args, ready: READY }), /ended with 3/);
});

test('an answer that is not the expected one fails the sample, and the process is ended', async () => {
  const wrong = () => {
    throw new Error('wrong answer');
  };
  await assert.rejects(
    sampleStart({ args: ['-e', SERVER], ready: READY, url: ([, url]) => String(url), verify: wrong }),
    /wrong answer/,
  );
});

/** @param {number} turns */
const spin = (turns) => () => {
  let sum = 0;
  for (let i = 0; i < turns; i++) sum += Math.sqrt(i);
  return sum;
};

test('paired slices see that ten times the work takes much longer', async () => {
  const pairs = await pairedSlices({
    baseline: spin(2_000),
    subject: spin(20_000),
    slices: 6,
    sliceMs: 10,
    warmMs: 20,
  });
  assert.equal(pairs.length, 6);
  const slower = pairs.filter(({ baseline, subject }) => subject.us > 4 * baseline.us);
  assert.ok(slower.length >= 4);
});

test('an operation gets a new number with each call and may be asynchronous', async () => {
  /** @type {number[]} */
  const calls = [];
  const subject = async (/** @type {number} */ call) => void calls.push(call);
  await pairedSlices({ baseline: () => 1, subject, slices: 2, sliceMs: 2, warmMs: 4 });
  assert.deepEqual(calls.slice(0, 3), [1, 2, 3]);
  assert.equal(new Set(calls).size, calls.length);
});

const MODULE = `data:text/javascript,${encodeURIComponent(`
  import assert from 'node:assert/strict';
  const work = { honest: () => 42, cheat: () => 41 };
  export const open = async (name) => ({ operations: { answer: work[name] } });
  export const check = (operation, baseline, subject) => assert.equal(subject, baseline, operation);
`)}`;

test('slices run in fresh processes, by operation', async () => {
  const job = { module: MODULE, baseline: 'honest', subject: 'honest', operations: ['answer', 'missing'] };
  const pairs = await slicesInFreshProcesses({ ...job, processes: 2, slices: 4, sliceMs: 2, warmMs: 4 });
  assert.deepEqual(Object.keys(pairs), ['answer']);
  assert.equal(pairs['answer']?.length, 4);
});

test('an operation with another result than the baseline is refused before it is timed', async () => {
  const job = { module: MODULE, baseline: 'honest', subject: 'cheat', operations: ['answer'] };
  await assert.rejects(slicesInFreshProcesses(job), /cheat against honest could not be measured[\s\S]*41/);
});
