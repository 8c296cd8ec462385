import { existsSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { startProcess } from '../process/index.js';
import { statusInPs, statusOfPs } from '../process/process-status.js';
import { identityOf, livenessOf, ownIdentity } from './process-identity.js';

const waits = () =>
  startProcess({ command: process.execPath, args: ['-e', 'setInterval(() => {}, 1000)'], cwd: process.cwd() });

test('a process is told from another one that gets its number', async () => {
  const child = await waits();
  const identity = identityOf(child.pid);
  expect(identity).toMatchObject({ machine: ownIdentity().machine, pid: child.pid });
  expect(livenessOf(identity)).toBe('alive');
  expect(livenessOf({ ...identity, start: '1' })).toBe('dead');
  await child.stop();
  expect(livenessOf(identity)).toBe('dead');
});

(existsSync('/bin/ps') ? test : test.skip)('where there is no /proc, ps tells it', async () => {
  const child = await waits();
  expect(statusOfPs(child.pid)).toEqual({
    start: expect.stringMatching(/^\w{3} \w{3} \d+ [\d:]{8} \d{4}$/),
    ended: false,
  });
  await child.stop();
  expect(statusOfPs(child.pid)).toBeUndefined();
});

test.each([
  ['Ss   Fri Nov  6 09:12:01 2026    \n', { start: 'Fri Nov 6 09:12:01 2026', ended: false }],
  ['Z+   Fri Nov 27 00:12:01 2026\n', { start: 'Fri Nov 27 00:12:01 2026', ended: true }],
  ['', undefined],
  ['\n', undefined],
])('%j of ps is read', (line, status) => {
  expect(statusInPs(line)).toEqual(status);
});

test('a process whose start the system does not tell is neither alive nor dead', () => {
  const silent = () => undefined;
  expect(identityOf(process.pid, silent).start).toBe('0');
  expect(livenessOf(ownIdentity(), silent)).toBe('unknown');
  expect(livenessOf({ ...ownIdentity(), start: '0' })).toBe('unknown');
  expect(livenessOf({ ...ownIdentity(), machine: 'another' })).toBe('unknown');
});

test('one that has ended and was not reaped is dead', () => {
  const zombie = () => ({ start: ownIdentity().start, ended: true });
  expect(livenessOf(ownIdentity(), zombie)).toBe('dead');
});
