import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { build } from 'esbuild';
import { runProcess, type RunningProcess, startProcess, type StartRequest } from './index.js';
import { PATIENCE_MS } from '../testing/patience.js';

let folder: string;
const running: RunningProcess[] = [];

beforeAll(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'fw-start-')));
});
afterEach(() => Promise.all(running.splice(0).map((each) => each.stop({ graceMs: 0 }))));
afterAll(() => rm(folder, { recursive: true }));

async function node(script: string, more: Partial<StartRequest> = {}): Promise<RunningProcess> {
  const started = await startProcess({ command: process.execPath, args: ['-e', script], cwd: folder, ...more });
  running.push(started);
  return started;
}

const FOREVER = 'setInterval(() => {}, 1000);';
const PATIENT = { timeoutMs: PATIENCE_MS };
const code = (expected: string) => expect.objectContaining({ code: expected });

describe('startProcess', () => {
  test('runs a server until it is stopped', async () => {
    const server = await node(
      `const s = require('node:http').createServer((_, res) => res.end('hi'));
       s.listen(0, '127.0.0.1', () => console.log('listening on ' + s.address().port))`,
    );
    const [, port] = await server.waitForLine(/listening on (\d+)/, PATIENT);
    expect(await (await fetch(`http://127.0.0.1:${port}/`)).text()).toBe('hi');
    expect(server.pid).toBeGreaterThan(0);
    expect(await server.stop()).toEqual({ exitCode: null, signal: 'SIGTERM' });
  });

  test('kills a child that ignores SIGTERM after the grace time', async () => {
    const stubborn = await node(`process.on('SIGTERM', () => console.log('no')); ${FOREVER} console.log('ready')`);
    await stubborn.waitForLine(/ready/, PATIENT);
    expect(await stubborn.stop({ graceMs: 100 })).toEqual({ exitCode: null, signal: 'SIGKILL' });
    expect(stubborn.recentLines()).toEqual(['ready', 'no']);
  });

  test('may be stopped twice, and after it ended', async () => {
    const child = await node(FOREVER);
    const [first, second] = await Promise.all([child.stop(), child.stop()]);
    expect(second).toEqual(first);
    expect(await child.stop()).toEqual(first);
  });

  test('ends a stopped (SIGSTOP) child without waiting for the grace time to pass', async () => {
    const child = await node(FOREVER);
    child.kill('SIGSTOP');
    expect(await child.stop({ graceMs: 60_000 })).toEqual({ exitCode: null, signal: 'SIGTERM' });
  });

  test('sends a signal to the group, and to nobody once it has ended', async () => {
    const child = await node(`process.on('SIGHUP', () => process.exit(4)); ${FOREVER} console.log('ready')`);
    await child.waitForLine(/ready/, PATIENT);
    expect(child.kill('SIGHUP')).toBe(true);
    expect(await child.exited).toEqual({ exitCode: 4, signal: null });
    expect(child.kill('SIGHUP')).toBe(false);
  });

  test('writes to the input of a child', async () => {
    const echo = await node('process.stdin.on("data", (d) => console.log("got " + d))', { stdin: 'pipe' });
    echo.stdin?.write('one\n');
    await echo.waitForLine(/^got one$/, PATIENT);
    echo.stdin?.end();
    expect(await echo.exited).toEqual({ exitCode: 0, signal: null });
  });

  test('hands lines to its listeners until they leave', async () => {
    const child = await node('process.stdin.on("data", (d) => console.error(String(d).trim()))', { stdin: 'pipe' });
    const heard: string[] = [];
    const leave = child.onLine((line, output) => heard.push(`${output} ${line}`));
    child.stdin?.write('a\n');
    await child.waitForLine(/^a$/, PATIENT);
    leave();
    child.stdin?.write('b\n');
    await child.waitForLine(/^b$/, PATIENT);
    expect(heard).toEqual(['stderr a']);
  });

  test('remembers the last 200 lines and counts the others', async () => {
    const child = await node('for (let i = 1; i <= 250; i++) console.log(i)');
    await child.exited;
    expect(child.recentLines()).toHaveLength(200);
    expect(child.recentLines().at(-1)).toBe('250');
    expect(child.forgottenLines).toBe(50);
  });

  test('fails with a code when the command is missing', async () => {
    const missing = startProcess({ command: 'fw-no-such-command', args: [], cwd: folder });
    await expect(missing).rejects.toEqual(code('FW_PROCESS_NOT_FOUND'));
  });
});

describe('waitForLine', () => {
  test('sees lines that came before, also with a pattern that keeps its place', async () => {
    const child = await node('console.log("port 1234")');
    await child.exited;
    const pattern = /port (\d+)/g;
    expect((await child.waitForLine(pattern, PATIENT))[1]).toBe('1234');
    expect((await child.waitForLine(pattern, PATIENT))[1]).toBe('1234');
  });

  test('says how the child ended and what it printed last when no line comes', async () => {
    const child = await node('console.error("cannot open database"); process.exit(3)');
    await expect(child.waitForLine(/ready/, PATIENT)).rejects.toThrow(
      /ended \(exit code 3\) before it printed a line that matches \/ready\/\. Last lines: cannot open database/,
    );
  });

  test('gives up after its time, and when it is aborted', async () => {
    const child = await node(FOREVER);
    await expect(child.waitForLine(/ready/, { timeoutMs: 20 })).rejects.toThrow(/within 20 ms before it printed/);
    const aborted = child.waitForLine(/ready/, { ...PATIENT, signal: AbortSignal.abort() });
    await expect(aborted).rejects.toEqual(code('FW_PROCESS_LINE'));
  });
});

describe('a process that exits', () => {
  test('takes the children that it started with it', async () => {
    const bundle = join(folder, 'process.mjs');
    await build({
      entryPoints: ['kernel/process/index.ts'],
      bundle: true,
      platform: 'node',
      format: 'esm',
      outfile: bundle,
    });
    let parentEnded: Promise<void> | undefined;
    const gone = new Promise<void>((done, missed) => {
      const server = createServer((socket) => {
        socket.resume().on('error', () => socket.destroy());
        socket.once('data', () => socket.write('exit'));
        socket.once('close', () => server.close((error) => (error ? missed(error) : done())));
      }).listen(0, '127.0.0.1', () => {
        parentEnded = run((server.address() as AddressInfo).port);
        parentEnded.catch(missed);
      });
    });
    const run = async (port: number) => {
      // The grandchild ignores SIGTERM; it tells its parent through the pipe that it was heard, and the parent exits.
      const child = `process.on('SIGTERM', () => {});
        const socket = require('node:net').connect(${port}, '127.0.0.1');
        socket.write('hello'); socket.on('data', () => console.log('heard'));`;
      const parent = `import { startProcess } from ${JSON.stringify(bundle)};
        const child = await startProcess({ command: process.execPath, args: ['-e', ${JSON.stringify(child)}], cwd: '.' });
        child.onLine(() => process.exit(5));`;
      const result = await runProcess({
        command: process.execPath,
        args: ['--input-type=module', '-e', parent],
        cwd: folder,
        timeoutMs: PATIENCE_MS,
        maxOutputBytes: 10_000,
      });
      expect(result).toMatchObject({ exitCode: 5, stderr: '' });
    };
    await gone;
    await parentEnded;
  });
});
