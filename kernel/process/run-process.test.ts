import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { runProcess, type RunRequest } from './index.js';
import { PATIENCE_MS } from '../testing/patience.js';

const LIMITS = { timeoutMs: PATIENCE_MS, maxOutputBytes: 1_000_000 };
let folder: string;

beforeAll(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'fw-process-')));
});
afterAll(() => rm(folder, { recursive: true }));

const node = (script: string, more: Partial<RunRequest> = {}) =>
  runProcess({ command: process.execPath, args: ['-e', script], cwd: folder, ...LIMITS, ...more });

const code = (expected: string) => expect.objectContaining({ code: expected });

describe('what a child is given', () => {
  test('gives both outputs and the exit code back', async () => {
    const result = await node('console.log("out"); console.error("err"); process.exitCode = 3');
    expect(result).toMatchObject({ exitCode: 3, signal: null, stdout: 'out\n', stderr: 'err\n' });
    expect(result).toMatchObject({ truncated: false, timedOut: false, aborted: false });
    expect(result.durationMs).toBeGreaterThan(0);
  });

  test('hands shell syntax over literally, one argument each [MCP-EXEC-01] [MCP-EXEC-02]', async () => {
    const args = ['$(id)', '`id`', '; rm -rf x', '&& y', '| z', '> out', '*', '$HOME', '"', "'", 'a b', '', '\n'];
    const result = await runProcess({
      command: process.execPath,
      args: ['-e', 'console.log(JSON.stringify(process.argv.slice(1)))', '--', ...args],
      cwd: folder,
      ...LIMITS,
    });
    expect(JSON.parse(result.stdout)).toEqual(args);
  });

  test('does not read shell syntax in the name of a command', async () => {
    const run = runProcess({ command: 'echo hello; id', args: [], cwd: folder, ...LIMITS });
    await expect(run).rejects.toEqual(code('FW_PROCESS_NOT_FOUND'));
  });

  test('starts in the working directory', async () => {
    expect((await node('console.log(process.cwd())')).stdout).toBe(`${folder}\n`);
  });

  test('writes the input and closes it', async () => {
    const echo = 'process.stdin.pipe(process.stdout)';
    expect((await node(echo, { stdin: 'täxt' })).stdout).toBe('täxt');
    expect((await node(echo, { stdin: new Uint8Array([104, 105]) })).stdout).toBe('hi');
  });

  test('gives no input when there is none, so that a child that reads does not wait', async () => {
    expect((await node('process.stdin.on("end", () => console.log("end")).resume()')).stdout).toBe('end\n');
  });

  test('bears a child that does not read its input', async () => {
    const result = await node('process.stdin.destroy(); process.exit(0)', { stdin: 'x'.repeat(5_000_000) });
    expect(result.exitCode).toBe(0);
  });

  test('passes on a clean environment and what is given', async () => {
    process.env['FW_MCP_TOKEN'] = 'secret';
    process.env['NODE_OPTIONS'] = '--no-warnings';
    try {
      const { stdout } = await node('console.log(JSON.stringify(process.env))', { env: { GIVEN: '1' } });
      const seen = JSON.parse(stdout) as Record<string, string>;
      expect(seen).toMatchObject({ GIVEN: '1', PATH: process.env['PATH'] });
      expect(seen).not.toHaveProperty('FW_MCP_TOKEN');
      expect(seen).not.toHaveProperty('NODE_OPTIONS');
    } finally {
      delete process.env['FW_MCP_TOKEN'];
      delete process.env['NODE_OPTIONS'];
    }
  });
});

describe('output', () => {
  const noisy = 'process.stdout.write("first " + "x".repeat(3e6) + " last")';

  test('keeps the first and the last part and says how much it left out, while the child goes on', async () => {
    const { stdout, truncated, exitCode } = await node(noisy, { maxOutputBytes: 1_000 });
    expect({ truncated, exitCode }).toEqual({ truncated: true, exitCode: 0 });
    expect(stdout).toMatch(/^first x+\n\[\.\.\. 2999011 bytes left out \.\.\.\]\nx+ last$/);
  });

  test('keeps nothing when asked to, and still reads all', async () => {
    const result = await node(noisy, { maxOutputBytes: 0 });
    expect(result).toMatchObject({ exitCode: 0, truncated: true, stdout: '\n[... 3000011 bytes left out ...]\n' });
  });

  test('hands on each line of both outputs as it comes, beyond the cap too', async () => {
    const lines: string[] = [];
    await node('console.log("a\\r"); console.log("b"); console.error("c"); process.stdout.write("no newline")', {
      maxOutputBytes: 1,
      onLine: (line, output) => lines.push(`${output}: ${line}`),
    });
    expect(lines.filter((each) => each.startsWith('stdout'))).toEqual(['stdout: a', 'stdout: b', 'stdout: no newline']);
    expect(lines).toContain('stderr: c');
  });

  test('ends the child and passes the error on when a line listener throws', async () => {
    const run = node('console.log("x"); setInterval(() => {}, 1000)', {
      onLine: () => {
        throw new RangeError('listener');
      },
    });
    await expect(run).rejects.toThrow(new RangeError('listener'));
  });
});

describe('what cannot be started', () => {
  const run = (more: Partial<RunRequest>) =>
    runProcess({ command: process.execPath, args: [], cwd: folder, ...LIMITS, ...more });

  test('names a missing command and where it was looked for', async () => {
    const missing = run({ command: 'fw-no-such-command', env: { PATH: '/usr/bin:/bin' } });
    await expect(missing).rejects.toThrow(
      /"fw-no-such-command" was not found\. Looked in: \/usr\/bin, \/bin\. Install/,
    );
    await expect(missing).rejects.toEqual(code('FW_PROCESS_NOT_FOUND'));
  });

  test('names a missing working directory instead of the command', async () => {
    const missing = run({ cwd: join(folder, 'no-such-folder') });
    await expect(missing).rejects.toEqual(code('FW_PROCESS_DIRECTORY'));
    await expect(missing).rejects.toThrow(/no-such-folder/);
  });

  test('says why the system refused a program that it found', async () => {
    const script = join(folder, 'broken');
    await writeFile(script, '#!/no/such/interpreter\n', { mode: 0o755 });
    await expect(run({ command: script })).rejects.toEqual(code('FW_PROCESS_SPAWN'));
  });

  test('tells a file that may not be executed from one that is not there', async () => {
    await writeFile(join(folder, 'plain'), '', { mode: 0o644 });
    await expect(run({ command: './plain' })).rejects.toThrow(/it is there, but is not an executable file/);
    await expect(run({ command: './missing' })).rejects.toEqual(code('FW_PROCESS_NOT_FOUND'));
  });

  test('does not let a relative PATH entry supply the command', async () => {
    await writeFile(join(folder, 'planted'), '#!/bin/sh\necho planted\n', { mode: 0o755 });
    const planted = run({ command: 'planted', env: { PATH: '.::/usr/bin' } });
    await expect(planted).rejects.toEqual(code('FW_PROCESS_NOT_FOUND'));
  });

  test.each([
    ['an empty name', { command: ' ' }],
    ['a NUL in an argument', { args: ['a\0b'] }],
    ['a NUL in a variable', { env: { A: 'a\0b' } }],
    ['an argument that is no string', { args: [7 as unknown as string] }],
    ['arguments as one string', { args: '--version' as unknown as string[] }],
  ])('refuses %s', async (_, more) => {
    await expect(run(more)).rejects.toEqual(code('FW_PROCESS_ARGUMENT'));
  });

  test.each([
    ['timeoutMs', { timeoutMs: 0 }],
    ['timeoutMs', { timeoutMs: Number.POSITIVE_INFINITY }],
    ['timeoutMs', { timeoutMs: 2 ** 31 }],
    ['maxOutputBytes', { maxOutputBytes: -1 }],
    ['maxOutputBytes', { maxOutputBytes: Number.NaN }],
    ['graceMs', { graceMs: -1 }],
  ])('refuses a limit %s that cannot be kept', async (option, more) => {
    await expect(run(more)).rejects.toEqual(code('FW_PROCESS_LIMIT'));
    await expect(run(more)).rejects.toThrow(new RegExp(`Option ${option} .* Expected`));
  });
});

describe('ending', () => {
  // A process that holds a connection to this server is alive; once it is gone the system closes the connection. That
  // works for grandchildren, whose exit nobody tells us, and does not take a zombie for a living process.
  let server: Server;
  let callers: Socket[];

  beforeEach(async () => {
    callers = [];
    server = createServer((socket) => {
      callers.push(socket);
      socket.on('error', () => socket.destroy());
    });
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  });
  afterEach(() => new Promise((done) => server.close(done)));

  const call = () => `require('node:net').connect(${(server.address() as AddressInfo).port}, '127.0.0.1')`;
  const allGone = () =>
    Promise.all(callers.map((socket) => socket.closed || new Promise((done) => socket.resume().once('close', done))));
  const whenCalled = (times: number) =>
    new Promise<void>((done) => {
      const look = () => (callers.length >= times ? done() : undefined);
      server.on('connection', look);
      look();
    });
  const family = (own: string, theirs: string, stdio = 'inherit') =>
    `${own}; require('node:child_process').spawn(process.execPath, ['-e', ${JSON.stringify(theirs)}], { stdio: '${stdio}' })`;
  const stubborn = () => `process.on('SIGTERM', () => {}); ${call()}; setInterval(() => {}, 1000)`;

  test('ends a child that takes too long', async () => {
    const result = await node('console.log("begun"); setInterval(() => {}, 1000)', { timeoutMs: 400 });
    expect(result).toMatchObject({ timedOut: true, aborted: false, exitCode: null, signal: 'SIGTERM' });
  });

  test('lets a child finish in its grace time', async () => {
    const polite = 'process.on("SIGTERM", () => { console.log("bye"); process.exit(7) }); setInterval(() => {}, 1000)';
    const abort = new AbortController();
    const result = await node(`${polite}; console.log("ready")`, { signal: abort.signal, onLine: () => abort.abort() });
    expect(result).toMatchObject({ aborted: true, exitCode: 7, signal: null, stdout: 'ready\nbye\n' });
  });

  test('kills a child that ignores SIGTERM', async () => {
    const abort = new AbortController();
    const run = node(stubborn(), { signal: abort.signal, graceMs: 50 });
    await whenCalled(1);
    abort.abort();
    expect(await run).toMatchObject({ aborted: true, timedOut: false, exitCode: null, signal: 'SIGKILL' });
  });

  test('ends grandchildren too, also those that ignore SIGTERM and hold no pipe', async () => {
    const abort = new AbortController();
    const run = node(family(call(), stubborn(), 'ignore'), { signal: abort.signal, graceMs: 50 });
    await whenCalled(2);
    abort.abort();
    expect(await run).toMatchObject({ aborted: true, exitCode: null });
    await allGone();
  });

  test('ends what a child leaves behind when it ends by itself', async () => {
    const run = node(family(`${call()}.on('data', () => process.exit(0))`, stubborn()), { graceMs: 50 });
    await whenCalled(2);
    for (const socket of callers) socket.write('end');
    expect(await run).toMatchObject({ exitCode: 0, timedOut: false, aborted: false });
    await allGone();
  });

  test('does not wait for a daemon that left the group and holds the pipes', async () => {
    const daemon = `${call()}.on('close', () => process.exit()).resume()`;
    const start = `require('node:child_process').spawn(process.execPath, ['-e', ${JSON.stringify(daemon)}], { stdio: 'inherit', detached: true }).unref()`;
    const result = await node(`${start}; console.log('started')`);
    expect(result).toMatchObject({ exitCode: 0, stdout: 'started\n' });
    await whenCalled(1);
    callers[0]?.end();
    await allGone();
  });

  test('does not start anything when it is aborted already', async () => {
    const result = await node(`${call()}; setInterval(() => {}, 1000)`, { signal: AbortSignal.abort() });
    expect(result).toMatchObject({ aborted: true, exitCode: null, signal: null, stdout: '', durationMs: 0 });
    expect(callers).toHaveLength(0);
  });

  test('leaves no listener behind', async () => {
    const { signal } = new AbortController();
    const before = process.listenerCount('exit');
    let listeners = 0;
    const counted = new Proxy(signal, {
      get: (target, key) => {
        if (key === 'addEventListener') return () => void listeners++;
        if (key === 'removeEventListener') return () => void listeners--;
        return Reflect.get(target, key, target) as unknown;
      },
    });
    await Promise.all([node('', { signal: counted }), node('process.exit(1)', { signal: counted })]);
    expect({ listeners, exit: process.listenerCount('exit') }).toEqual({ listeners: 0, exit: before });
  });
});
