import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { defineErrors, fwError } from '../errors/index.js';
import { asCalledHere, asProjectsCall, PROJECT_FW, fwCommand, guideCommand, howFwIsCalled } from './index.js';

let empty: string;
let project: string;

beforeAll(async () => {
  empty = await realpath(await mkdtemp(path.join(tmpdir(), 'fw-invocation-')));
  project = path.join(empty, 'shop');
  await mkdir(path.join(project, 'node_modules/.bin'), { recursive: true });
  await mkdir(path.join(project, 'app/models'), { recursive: true });
  for (const name of ['fw', 'fw.cmd']) await writeFile(path.join(project, 'node_modules/.bin', name), '');
});
afterAll(() => rm(empty, { recursive: true }));

describe('how fw is called', () => {
  const script = '/src/fw/dist/kernel/bin/fw.js';

  test('in the way of a project where one has it installed, and in a folder of it, whatever runs', () => {
    for (const folder of [project, path.join(project, 'app/models')])
      for (const each of [script, path.join(project, 'node_modules/.bin/fw'), undefined])
        expect(howFwIsCalled({ folder, script: each, searchPath: '', start: undefined })).toBe('npx --no -- fw');
  });

  test("in the way of a project in the framework's own checkout", () => {
    const folder = path.resolve(import.meta.dirname, '../..');
    expect(howFwIsCalled({ folder, script, searchPath: '' })).toBe(PROJECT_FW);
  });

  test('by node with its path where only a checkout has it', () => {
    expect(howFwIsCalled({ folder: empty, script, searchPath: '' })).toBe(`node ${script}`);
    const below = path.join(empty, 'my fw/dist/fw.js');
    expect(howFwIsCalled({ folder: empty, script: below, searchPath: '' })).toBe('node "my fw/dist/fw.js"');
  });

  test('by its name where the shell finds it, and only there', () => {
    const linked = path.join(empty, 'bin/fw');
    const searchPath = ['/usr/bin', path.join(empty, 'bin')].join(path.delimiter);
    expect(howFwIsCalled({ folder: empty, script: linked, searchPath })).toBe('fw');
    expect(howFwIsCalled({ folder: empty, script: linked, searchPath: '/usr/bin' })).toBe(PROJECT_FW);
  });

  test('by its start file in a bundle, even one inside of a project, seen from where that was typed', () => {
    const file = path.join(project, 'dist/bundle/start.js');
    const from = (folder: string) => howFwIsCalled({ folder: project, start: { file, folder } });
    expect(from(path.dirname(file))).toBe('node start.js');
    expect(from(project)).toBe('node dist/bundle/start.js');
    expect(from('/')).toBe(`node ${file}`);
    expect(from('/srv')).toBe(`node ${file}`);
  });

  test('as a project does where nothing is known', () => {
    expect(howFwIsCalled({ folder: empty, script: undefined })).toBe(PROJECT_FW);
    expect(howFwIsCalled({ folder: empty, script: '/app/serve.js', searchPath: '' })).toBe(PROJECT_FW);
  });
});

test('a guide is shown by fw docs, and not in a bundle, which has no documentation', () => {
  const elsewhere = { folder: empty, script: '/src/fw.js', searchPath: '' };
  expect(guideCommand('orm.md#read', elsewhere)).toBe('node /src/fw.js docs orm.md#read');
  expect(guideCommand('orm.md', { start: { file: '/srv/start.js', folder: '/srv' } })).toBeUndefined();
});

test('{fw} in a text is what calls it here, in documentation what a project writes', () => {
  expect(asCalledHere('Run `{fw} build`, then {fw}.')).toBe('Run `npx --no -- fw build`, then npx --no -- fw.');
  expect(asProjectsCall('`{fw} build`')).toBe('`npx --no -- fw build`');
  expect(fwCommand('build', { folder: empty, script: '/src/fw.js', searchPath: '' })).toBe('node /src/fw.js build');
});

test('a message says how fw is called, unless the error has a detail of that name', () => {
  const { FW_TEST_CALLED } = defineErrors('test/invocation', {
    FW_TEST_CALLED: { message: '{what}: run `{fw} migrate up`.', cause: 'c', remedy: 'r' },
  });
  expect(fwError(FW_TEST_CALLED, { what: 'pending' }).message).toBe('pending: run `npx --no -- fw migrate up`.');
  expect(fwError(FW_TEST_CALLED, { what: 'pending', fw: 'mine' }).message).toBe('pending: run `mine migrate up`.');
});
