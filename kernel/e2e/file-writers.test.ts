import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from '@jest/globals';
import { globSync } from 'tinyglobby';

const ROOT = path.resolve(import.meta.dirname, '../..');

/**
 * Who may change files without kernel/fs, and why a kill in the middle does no harm there. What belongs to a project goes through
 * a `ChangeSet` (`changesIn`), which keeps a journal.
 */
const ALLOWED: Readonly<Record<string, string>> = {
  'codegen/corpus/corpus-project.ts': 'temporary projects of tests',
  'codegen/engine/write-changes.ts': 'removes folders that are empty',
  'codegen/schematics/new/kept-copy.ts': 'a cache in node_modules: its file is written atomically',
  'codegen/schematics/new/pack-framework.ts': 'a temporary folder',
  'kernel/build/bundle/bundle-app.ts':
    'a temporary folder, and one of outputs that is replaced by a whole one that lies beside it',
  'kernel/build/check-types.ts': 'makes the folder of a cache; its file is written atomically',
  'plugins/fleet/contracts/thread-file.ts': 'a cache: a new name that is renamed',
  'plugins/http/multipart/decode-multipart.ts': 'a temporary folder of one request',
  'plugins/http/processes/worker-door.ts': 'removes the socket of a worker that is gone',
  'plugins/http/static/static-files.ts': 'opens files for reading',
  'plugins/http/workers/importable-module.ts': 'makes the folder of a cache; its file is written atomically',
  'plugins/orm/contract/pulled-project.ts': 'temporary projects of tests',
  'plugins/orm/db-check/scratch-project.ts': 'a temporary folder',
  'plugins/tools/planning/history.ts': 'a log: half a line is passed over',
  'plugins/tools/provisioning/container/prepare-image.ts': 'runs inside of an image that is being made',
  'plugins/tools/provisioning/image/build-context.ts': 'a temporary folder',
  'plugins/tools/provisioning/image/dependencies.ts': 'a temporary folder, and a lock file that is written atomically',
  'plugins/tools/provisioning/launch/provisioner.ts': 'a temporary folder',
  'plugins/tools/provisioning/registry/registry-file.ts': 'makes the state folder; the file is written atomically',
  'plugins/tools/verification/benchmarks/run-benchmarks.ts': 'a temporary folder',
  'plugins/tools/verification/coverage/measure.ts': 'a temporary folder',
  'plugins/tools/verification/node/test-runner.ts': 'a temporary folder',
};

const CHANGING =
  /^(appendFile|chmod|chown|copyFile|cp|createWriteStream|link|mkdir|mkdtemp|open|rename|rm|rmdir|symlink|truncate|unlink|utimes|write|writeFile)(Sync)?$/;

/** Names by which a source takes functions that change files; `*` for all of them at once. */
function changingNames(text: string): readonly string[] {
  const clauses = [...text.matchAll(/^import\s+(?!type\b)([^;]*?)\s+from\s+'(?:node:)?fs(?:\/promises)?'/gm)];
  const named = clauses.flatMap(([, clause = '']) => {
    const list = /^\{([^}]*)\}$/.exec(clause.trim())?.[1];
    return list === undefined ? ['*'] : list.split(',').map((name) => name.trim().split(/\s+as\s+/)[0] as string);
  });
  const isLoaded = /\bimport\('(?:node:)?fs(?:\/promises)?'\)/.test(text);
  return [...named.filter((name) => name === '*' || CHANGING.test(name)), ...(isLoaded ? ['*'] : [])];
}

test('files of a project are changed in kernel/fs and nowhere else', () => {
  const sources = globSync(
    ['codegen/**/*.ts', 'plugins/**/*.{ts,tsx}', 'kernel/cli/**/*.ts', 'kernel/{boot,build}/**/*.ts'],
    {
      cwd: ROOT,
      ignore: [
        '**/*.test.ts',
        '**/*.contract.ts',
        '**/testing/**',
        '**/fixtures/**',
        '**/projects/**',
        '**/node_modules/**',
      ],
    },
  );
  const writers = sources.filter((file) => changingNames(readFileSync(path.join(ROOT, file), 'utf8')).length > 0);
  expect(writers.sort()).toEqual(Object.keys(ALLOWED).sort());
});

test.each([
  ["import { readFile, writeFile } from 'node:fs/promises';", ['writeFile']],
  ["import {\n  existsSync,\n  mkdirSync as make,\n} from 'node:fs';", ['mkdirSync']],
  ["import fs from 'node:fs';", ['*']],
  ["import * as fs from 'fs/promises';", ['*']],
  ["const { rm } = await import('node:fs/promises');", ['*']],
  ["import { existsSync, type Stats } from 'node:fs';", []],
  ["import type { Stats } from 'node:fs';", []],
])('%s is seen', (text, names) => {
  expect(changingNames(text)).toEqual(names);
});
