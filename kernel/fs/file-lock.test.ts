import { mkdir, mkdtemp, readdir, readFile, realpath, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { build } from 'esbuild';
import { runProcess, startProcess } from '../process/index.js';
import { withFileLock } from './index.js';
import { ownIdentity, type ProcessIdentity } from './process-identity.js';
import { PATIENCE_MS } from '../testing/patience.js';

let home: string;
let project: string;
let bundle: string;

beforeAll(async () => {
  home = await realpath(await mkdtemp(path.join(tmpdir(), 'fw-lock-')));
  bundle = path.join(home, 'fs.mjs');
  await build({ entryPoints: ['kernel/fs/index.ts'], bundle: true, platform: 'node', format: 'esm', outfile: bundle });
});
beforeEach(async () => {
  project = await mkdtemp(path.join(home, 'project-'));
});
afterEach(() => rm(project, { recursive: true }));
afterAll(() => rm(home, { recursive: true }));

const inChild = (script: string) => ({
  command: process.execPath,
  args: ['--input-type=module', '-e', `import { withFileLock } from ${JSON.stringify(bundle)}; ${script}`, project],
  cwd: project,
});
const code = (expected: string) => expect.objectContaining({ code: expected });
const ELSEWHERE = 'elsewhere.1.7-0123456789ab.00ff';
const claimOf = ({ machine, pid, start }: ProcessIdentity): string => `here.${pid}.${start}-${machine}.00ff`;

async function plantClaim(name: string, ageMs = 0): Promise<void> {
  const claim = path.join(project, '.fw/lock', name);
  await mkdir(path.dirname(claim), { recursive: true });
  await writeFile(claim, '');
  const then = new Date(Date.now() - ageMs);
  await utimes(claim, then, then);
}

/** A process id that belonged to a process which has ended. */
async function deadPid(): Promise<number> {
  const child = await startProcess({ command: process.execPath, args: ['-e', ''], cwd: home });
  await child.exited;
  return child.pid;
}

describe('withFileLock in one process', () => {
  test('runs work one after another, in the order it came, and hands results and errors on', async () => {
    const steps: string[] = [];
    const work = (name: string) => async () => {
      steps.push(`${name} begins`);
      await new Promise(setImmediate);
      steps.push(`${name} ends`);
      if (name === 'b') throw new RangeError('b failed');
      return name;
    };
    const results = await Promise.allSettled(['a', 'b', 'c'].map((name) => withFileLock(project, work(name))));
    expect(steps).toEqual(['a begins', 'a ends', 'b begins', 'b ends', 'c begins', 'c ends']);
    expect(results).toEqual([
      { status: 'fulfilled', value: 'a' },
      { status: 'rejected', reason: new RangeError('b failed') },
      { status: 'fulfilled', value: 'c' },
    ]);
  });

  test('leaves nothing in the directory, and leaves what others keep there', async () => {
    await withFileLock(project, async () => expect(await readdir(path.join(project, '.fw/lock'))).toHaveLength(1));
    expect(await readdir(project)).toEqual([]);
    await mkdir(path.join(project, '.fw'));
    await writeFile(path.join(project, '.fw/history'), '');
    await withFileLock(project, () => Promise.resolve());
    expect(await readdir(path.join(project, '.fw'))).toEqual(['history']);
  });

  test('gives up waiting for earlier calls as well, and keeps the later ones waiting for those', async () => {
    const steps: string[] = [];
    let finish = (): void => undefined;
    let first = Promise.resolve();
    await new Promise<void>((begun) => {
      const work = () => new Promise<void>((done) => begun(void (finish = done)));
      first = withFileLock(project, work);
    });
    const impatient = withFileLock(project, async () => void steps.push('impatient'), { timeoutMs: 5 });
    const aborted = withFileLock(project, async () => void steps.push('aborted'), { signal: AbortSignal.timeout(5) });
    const last = withFileLock(project, async () => void steps.push('last'));
    await expect(impatient).rejects.toEqual(code('FW_LOCK_TIMEOUT'));
    await expect(aborted).rejects.toMatchObject({ name: 'TimeoutError' });
    expect(steps).toEqual([]);
    finish();
    await Promise.all([first, last]);
    expect(steps).toEqual(['last']);
  });

  test('does not begin when it is aborted already', async () => {
    const begun = withFileLock(project, () => Promise.resolve(), {
      signal: AbortSignal.abort(new RangeError('enough')),
    });
    await expect(begun).rejects.toThrow(new RangeError('enough'));
    expect(await readdir(project)).toEqual([]);
  });

  test('does not wait for itself for ever', async () => {
    const nested = withFileLock(project, () => withFileLock(project, () => Promise.resolve(), { timeoutMs: 5 }));
    await expect(nested).rejects.toEqual(code('FW_LOCK_TIMEOUT'));
  });

  test('does not hold up work in another directory', async () => {
    const inner = path.join(project, 'inner');
    await mkdir(inner);
    expect(await withFileLock(project, () => withFileLock(inner, () => Promise.resolve('both')))).toBe('both');
  });

  test('does not follow a link in the place of its directory', async () => {
    await symlink(home, path.join(project, '.fw'));
    await expect(withFileLock(project, () => Promise.resolve())).rejects.toEqual(code('FW_LOCK_DIRECTORY'));
    expect(await readdir(home)).not.toContain('lock');
  });

  test('does not make a directory that is gone', async () => {
    const gone = path.join(project, 'gone');
    await expect(withFileLock(gone, () => Promise.resolve())).rejects.toEqual(code('FW_LOCK_DIRECTORY'));
  });
});

describe('withFileLock among processes', () => {
  test('leaves no claim behind where those of others cannot be told', async () => {
    const odd = claimOf({ ...ownIdentity(), start: '1' });
    await mkdir(path.join(project, '.fw/lock', odd), { recursive: true });
    await expect(withFileLock(project, () => Promise.resolve())).rejects.toEqual(code('FW_LOCK_DIRECTORY'));
    expect(await readdir(path.join(project, '.fw/lock'))).toEqual([odd]);
  });

  test('lets one process at a time work', async () => {
    const counter = path.join(project, 'counter');
    await writeFile(counter, '0');
    const increment = `
      import { readFile, writeFile } from 'node:fs/promises';
      const counter = ${JSON.stringify(counter)};
      for (let i = 0; i < 15; i++) {
        await withFileLock(process.argv[1], async () => {
          const seen = Number(await readFile(counter, 'utf8'));
          await new Promise((done) => setTimeout(done, 2));
          await writeFile(counter, String(seen + 1));
        });
      }`;
    const runs = await Promise.all(
      [1, 2, 3].map(() => runProcess({ ...inChild(increment), timeoutMs: PATIENCE_MS, maxOutputBytes: 10_000 })),
    );
    expect(runs.map(({ exitCode, stderr }) => ({ exitCode, stderr }))).toEqual(
      Array(3).fill({ exitCode: 0, stderr: '' }),
    );
    expect(await readFile(counter, 'utf8')).toBe('45');
  });

  test('goes on at once when the process that held it was killed', async () => {
    const holder = await startProcess(
      inChild(
        `await withFileLock(process.argv[1], () => { console.log('held'); return new Promise(() => setInterval(() => {}, 1000)) })`,
      ),
    );
    await holder.waitForLine(/held/, { timeoutMs: PATIENCE_MS });
    await expect(withFileLock(project, () => Promise.resolve(), { timeoutMs: 50 })).rejects.toEqual(
      code('FW_LOCK_TIMEOUT'),
    );
    holder.kill('SIGKILL');
    await holder.exited;
    expect(await withFileLock(project, () => Promise.resolve('mine'), { timeoutMs: 50 })).toBe('mine');
    expect(await readdir(project)).toEqual([]);
  });

  test('waits for a claim of another host as long as that is touched, and says whose it is', async () => {
    await plantClaim(ELSEWHERE, 20_000);
    const waiting = withFileLock(project, () => Promise.resolve(), { timeoutMs: 30 });
    await expect(waiting).rejects.toThrow(/did not finish within 30 ms \(claims: elsewhere\.1\.7-0123456789ab\.00ff\)/);
    await plantClaim(ELSEWHERE, 60_000);
    expect(await withFileLock(project, () => Promise.resolve('mine'), { timeoutMs: 30 })).toBe('mine');
  });

  test('does not take a process that got the number of a dead one for the owner', async () => {
    await plantClaim(claimOf({ ...ownIdentity(), start: '1' }));
    expect(await withFileLock(project, () => Promise.resolve('mine'), { timeoutMs: 30 })).toBe('mine');
  });

  test.each([0, 3_600_000])(
    'waits for a process that lives, also when it did not touch its claim for %d ms',
    async (age) => {
      await plantClaim(claimOf(ownIdentity()), age);
      const waiting = withFileLock(project, () => Promise.resolve(), { timeoutMs: 30 });
      await expect(waiting).rejects.toEqual(code('FW_LOCK_TIMEOUT'));
    },
  );

  test('removes the claim of a process that ended', async () => {
    await plantClaim(claimOf({ ...ownIdentity(), pid: await deadPid() }));
    expect(await withFileLock(project, () => Promise.resolve('mine'), { timeoutMs: 30 })).toBe('mine');
  });

  test('stops waiting when it is aborted', async () => {
    await plantClaim(ELSEWHERE);
    const abort = new AbortController();
    const waiting = withFileLock(project, () => Promise.resolve(), { signal: abort.signal });
    setImmediate(() => abort.abort(new RangeError('enough')));
    await expect(waiting).rejects.toThrow(new RangeError('enough'));
    expect(await readdir(path.join(project, '.fw/lock'))).toEqual([ELSEWHERE]);
  });
});
