import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { RunningEntry } from '../../../kernel/running/index.js';
import { fwStartApp } from './fw-start-app.js';
import { unsaid } from './run-app.js';

let workspace: string;
let entries: RunningEntry[];
beforeEach(async () => {
  workspace = await mkdtemp(path.join(tmpdir(), 'fw-start-app-'));
  entries = [];
});
afterEach(async () => {
  for (const entry of entries) entry.remove();
  await rm(workspace, { recursive: true });
});

async function runningProject(name: string, port: number): Promise<string> {
  const root = path.join(workspace, name);
  const program = path.join(root, 'node_modules/fw/dist/kernel/bin/fw.js');
  await mkdir(path.dirname(program), { recursive: true });
  await Promise.all([program, path.join(root, 'app.config.ts')].map((file) => writeFile(file, '')));
  const entry = new RunningEntry(root, { command: 'dev', profile: 'dev' });
  entry.write({ state: 'running', app: name, addresses: [{ label: 'Application', url: `http://127.0.0.1:${port}` }] });
  entries.push(entry);
  return root;
}

test('of one that runs alone it says that tools find it, and among others that its address has to be named', async () => {
  const root = await runningProject('orders', 4101);
  const started = () => fwStartApp.run({ path: root }, { workspace } as never);
  expect((await started()).summary).toMatch(/find it without service_url/);
  await runningProject('auth', 4102);
  expect(await started()).toMatchObject({
    summary: expect.stringMatching(/name its address to the runtime tools as service_url/),
    structured: { state: 'running', urls: ['Application: http://127.0.0.1:4101'] },
  });
});

test('what was printed is told beside the problem as far as the problem does not say it', () => {
  const problem =
    'The application does not start\n\n  app/environment.ts:4:20\n  FW_CONFIG_ENVIRONMENT: JWT is not set';
  const printed = ['', 'app/environment.ts:4:20', 'FW_CONFIG_ENVIRONMENT: JWT is not set', ''];
  expect(unsaid(printed, problem)).toBeUndefined();
  expect(unsaid([...printed, 'a warning of the driver'], problem)).toEqual(['a warning of the driver']);
  expect(unsaid(printed)).toHaveLength(2);
});
