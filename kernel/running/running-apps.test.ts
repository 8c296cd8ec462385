import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { identityOf } from '../fs/index.js';
import { startProcess } from '../process/index.js';
import { isVouched, RunningEntry, runningApps } from './index.js';

let root: string;
let before: string | undefined;
beforeEach(async () => {
  root = await mkdtemp(path.join(tmpdir(), 'fw-running-'));
  before = process.env['FW_MCP_STATE_DIR'];
  process.env['FW_MCP_STATE_DIR'] = path.join(root, 'state');
});
afterEach(async () => {
  if (before === undefined) delete process.env['FW_MCP_STATE_DIR'];
  else process.env['FW_MCP_STATE_DIR'] = before;
  await rm(root, { recursive: true, force: true });
});

const FACTS = { command: 'dev', profile: 'dev' } as const;
const RUNNING = { state: 'running', app: 'shop', addresses: [{ label: 'Application', url: 'http://127.0.0.1:1' }] } as const; // prettier-ignore
const folder = () => path.join(root, '.fw/running');
const own = () => path.join(folder(), `${process.pid}.json`);

function served(ending?: ConstructorParameters<typeof RunningEntry>[2]): RunningEntry {
  const entry = new RunningEntry(root, FACTS, ending);
  entry.write(RUNNING);
  return entry;
}

/** The number of a process that has ended. */
async function endedProcess() {
  const args = ['-e', 'setTimeout(() => {}, 60000)'];
  const child = await startProcess({ command: process.execPath, args, cwd: root });
  const identity = identityOf(child.pid);
  await child.stop();
  return identity;
}

describe('what says that a process serves a project', () => {
  test('is found, vouched for, for its user alone, and gone with the process', async () => {
    const entry = served();
    const [found] = await runningApps(root);
    expect(found).toMatchObject({ ...FACTS, ...RUNNING, process: identityOf(process.pid) });
    expect(await isVouched(found!)).toBe(true);
    expect((await stat(own())).mode & 0o777).toBe(0o600);
    entry.remove();
    expect(await runningApps(root)).toEqual([]);
    expect(await isVouched(found!)).toBe(false);
    expect(await readdir(path.join(root, 'state/running'))).toEqual([]);
  });

  test('vouches for no other process: another number, another start, another nonce', async () => {
    const entry = served();
    const [found] = await runningApps(root);
    const { process: identity } = found!;
    const lies = [
      { ...found!, process: { ...identity, pid: process.ppid } },
      { ...found!, process: { ...identity, start: String(Number(identity.start) + 1) } },
      { ...found!, nonce: '0'.repeat(32) },
      { ...found!, nonce: '../../../../../../../../../../etc/x' },
    ];
    for (const lie of lies) expect(await isVouched(lie)).toBe(false);
    entry.remove();
  });

  test('is passed over once the process has been killed, and removed by the next that serves', async () => {
    served(await endedProcess());
    expect(await runningApps(root)).toEqual([]);
    await writeFile(path.join(folder(), '99.json'), await readFile(own()));
    await writeFile(path.join(folder(), '98.json'), 'not what fw writes');
    const entry = served();
    expect((await readdir(folder())).sort()).toEqual(['98.json', `${process.pid}.json`].sort());
    expect(await readdir(path.join(root, 'state/running'))).toEqual([`${entry.nonce}.json`]);
    entry.remove();
    expect(existsSync(own())).toBe(false);
  });
});
