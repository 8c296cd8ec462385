import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type Ancestor, runningScripts, watchedAncestors } from './started-by.mjs';

const SCRIPT = 'node kernel/bin/start.mjs';
const GROUP = 700;

/** A lineage from the words of its processes, the process itself first. */
const lineage = (...commands: (readonly string[])[]): Ancestor[] =>
  commands.map((words, index) => ({ pid: 100 - index, parent: 99 - index, group: GROUP, words }));

const ITSELF = ['node', '/app/node_modules/.bin/fw', 'start'];
const NPM = fc.constantFrom(
  ['npm start'],
  ['npm run dev'],
  ['node', '/usr/lib/node_modules/pnpm/bin/pnpm.cjs', 'start'],
  ['/usr/bin/node', '--no-warnings', '/app/.yarn/releases/yarn-4.9.1.cjs', 'start'],
  ['bun', 'run', 'start'],
  ['node', '--run', 'start'],
  ['/usr/bin/node', '--env-file', '.env', '--run=start', '--', '--report'],
);
const ITS_SHELL = fc.constantFrom(
  ['sh', '-c', SCRIPT],
  ['/bin/bash', '-c', `${SCRIPT} --report`],
  ['busybox', 'sh', '-c', SCRIPT],
  ['sh', '-c', '--', SCRIPT],
);
const ANOTHER_SHELL = fc.constantFrom(
  ['-bash'],
  ['zsh', '-i'],
  ['sh', '-c', 'nohup node_modules/.bin/fw start &'],
  ['bash', '-c', `cd /app && ${SCRIPT} &`],
);
const WRAPPERS = fc.array(
  fc.constantFrom(
    ['node', '/app/node_modules/.bin/cross-env', 'A=1'],
    ['dotenv', '--', 'fw'],
    ['node', '/app/node_modules/.bin/npm-run-all', 'x'],
    ['node', 'tools/all.mjs', '--run', 'start'],
  ),
  { maxLength: 3 },
);
const ABOVE = fc.array(
  fc.oneof(
    NPM,
    ITS_SHELL,
    ANOTHER_SHELL,
    WRAPPERS.map(([first = ['tini']]) => first),
  ),
  {
    maxLength: 3,
  },
);

describe('which ancestors are watched', () => {
  test('those up to the package runner whose script this is, with or without a shell, whoever stands above', () => {
    fc.assert(
      fc.property(WRAPPERS, fc.option(ITS_SHELL), NPM, ABOVE, (wrappers, shell, runner, above) => {
        const below = [ITSELF, ...wrappers, ...(shell ? [shell] : [])];
        const watched = watchedAncestors(lineage(...below, runner, ['tini'], ...above), { scripts: [SCRIPT] });
        expect(watched).toBe(below.length);
      }),
    );
  });

  test('also a shell that only waits for the runner, and the runner whose script that is', () => {
    const [npm, sh] = [
      ['npm', 'start'],
      ['sh', '-c', SCRIPT],
    ];
    const watched = (...above: (readonly string[])[]) =>
      watchedAncestors(lineage(ITSELF, sh, ['npm start'], ...above, ['tini']), { scripts: [SCRIPT] });
    expect(watched(['sh', '-c', 'npm start'])).toBe(3);
    expect(watched(['sh', '-c', '--', 'npm run start'], ['npm run dev'], ['bash', '-c', 'npm run dev'])).toBe(5);
    for (const command of ['npm start &', 'nohup npm start', 'npm start; sleep 9', 'setsid npm start', '(npm start)'])
      expect(watched(['sh', '-c', command], npm)).toBe(2);
    expect(watched(['-bash'], npm)).toBe(2);
  });

  test('none in the background of another shell, although the variables of a runner are inherited there', () => {
    fc.assert(
      fc.property(WRAPPERS, ANOTHER_SHELL, NPM, ABOVE, (wrappers, shell, runner, above) => {
        const processes = lineage(ITSELF, ...wrappers, shell, runner, ...above);
        expect(watchedAncestors(processes, { scripts: [SCRIPT] })).toBe(0);
      }),
    );
  });

  test('none where the process has a group of its own, as a job or a daemon has', () => {
    fc.assert(
      fc.property(WRAPPERS, ITS_SHELL, NPM, (wrappers, shell, runner) => {
        const [itself, ...others] = lineage(ITSELF, ...wrappers, shell, runner);
        const alone = { ...(itself as Ancestor), group: 100 };
        expect(watchedAncestors([alone, ...others], { scripts: [SCRIPT] })).toBe(0);
      }),
    );
  });

  test('those up to the start script that left its id, also where it is the farther one', () => {
    const processes = lineage(ITSELF, ['sh', '-c', SCRIPT], ['npm start'], ['node', 'start-all.mjs'], ['-bash']);
    expect(watchedAncestors(processes, { scripts: [SCRIPT], starter: 97 })).toBe(3);
    expect(watchedAncestors(processes, { scripts: [SCRIPT], starter: 99 })).toBe(2);
    expect(watchedAncestors(processes, { starter: 97 })).toBe(3);
  });

  test('says that the start script, or the runner of an orphaned shell, is gone already', () => {
    const orphan = [...lineage(ITSELF, ['sh', '-c', SCRIPT]), { pid: 1, parent: 0, group: 1, words: ['/sbin/init'] }];
    expect(watchedAncestors(orphan, { starter: 4_711 })).toBe('gone');
    expect(watchedAncestors(orphan, { scripts: [SCRIPT] })).toBe('gone');
    const runnerIsFirst = [...orphan.slice(0, 2), { pid: 1, parent: 0, group: 1, words: ['npm start'] }];
    expect(watchedAncestors(runnerIsFirst, { scripts: [SCRIPT] })).toBe(2);
  });
});

describe('the scripts that a process may belong to', () => {
  test('are those of npm and of node --run, whose command is in package.json', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'fw-run-'));
    const file = path.join(folder, 'package.json');
    await writeFile(file, JSON.stringify({ scripts: { start: SCRIPT } }));
    const run = { NODE_RUN_SCRIPT_NAME: 'start', NODE_RUN_PACKAGE_JSON_PATH: file };
    expect(runningScripts(run)).toEqual([SCRIPT]);
    expect(runningScripts({ ...run, npm_lifecycle_script: 'node --run start' })).toEqual(['node --run start', SCRIPT]);
    expect(runningScripts({ ...run, NODE_RUN_SCRIPT_NAME: 'toString' })).toEqual([]);
    await rm(folder, { recursive: true });
    expect(runningScripts(run)).toEqual([]);
    expect(runningScripts({})).toEqual([]);
  });
});
