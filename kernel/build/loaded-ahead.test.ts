import { describe, expect, test } from '@jest/globals';
import type { Metafile } from 'esbuild';
import { loadedAhead } from './loaded-ahead.js';

type Inputs = Metafile['inputs'];
type Import = Inputs[string]['imports'][number];

const own = (path: string, kind: Import['kind'] = 'import-statement'): Import => ({ path, kind });
const other = (path: string): Import => ({ path, kind: 'import-statement', external: true });
const file = (...imports: readonly Import[]): Inputs[string] => ({ bytes: 1, imports: [...imports] });
const project = (...ofNote: readonly Import[]): Inputs => ({
  'app.config.ts': file(
    other('fw'),
    own('generated/index.ts', 'dynamic-import'),
    own('app/plugin.ts', 'dynamic-import'),
  ),
  'app/plugin.ts': file(other('fw/http'), other('stripe'), own('generated/note.ts')),
  'generated/index.ts': file(own('generated/note.ts')),
  'generated/note.ts': file(other('fw/orm'), own('app/models/note.ts')),
  // As esbuild tells of what it adds for decorators.
  'app/models/note.ts': file(other('fw/orm'), other('<runtime>'), ...ofNote),
  'app/money.ts': file(other('node:crypto')),
  'app/queue.ts': file(other('bullmq')),
});
const ahead = (inputs: Inputs, text = '') => loadedAhead(inputs, 'generated', (name) => name + text);

describe('what may be loaded before an application', () => {
  test('is the framework that it imports, and models with what they reach', () => {
    const { files, models, packages } = ahead(project(own('app/money.ts')));
    expect({ models, packages }).toEqual({ models: 'dist/generated/index.js', packages: ['fw', 'fw/http', 'fw/orm'] });
    expect([...files].sort()).toEqual([
      'app/models/note.ts',
      'app/money.ts',
      'generated/index.ts',
      'generated/note.ts',
    ]);
  });

  test.each([
    ['a package', other('bullmq')],
    ['a module of Node that does more than compute', other('node:net')],
    ['a file that does', own('app/queue.ts')],
    ['a file that is loaded later', own('app/money.ts', 'dynamic-import')],
    ['JSON', own('app/rates.json')],
  ])('are no models where one of them imports %s', (_, more) => {
    expect(ahead(project(more))).toMatchObject({ models: undefined, files: new Set() });
  });

  test('are no models that the configuration does not name', () => {
    expect(ahead({ ...project(), 'app.config.ts': file(other('fw')) }).models).toBeUndefined();
  });

  test('is another when one of its files is, and the same when others are', () => {
    const { digest } = ahead(project());
    expect(ahead(project(), '2').digest).not.toBe(digest);
    expect(ahead({ ...project(), 'app/plugin.ts': file(other('fw/http')) }).digest).toBe(digest);
    expect(ahead(project(own('app/money.ts'))).digest).not.toBe(digest);
  });
});
