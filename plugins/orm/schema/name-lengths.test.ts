import { describe, expect, test } from '@jest/globals';
import { DIALECTS } from '../contract/framework-dialects.js';
import { ModelInfo, type Dialect } from '../index.js';
import { diffSchema } from './index.js';

const key = { property: 'id', column: 'id', kind: 'int', primaryKey: true } as const;
const named = (table: string, column = 'name', index?: string) =>
  new ModelInfo(class {}, {
    ...{ name: 'Thing', table, columns: [key, { property: 'name', column, kind: 'string' }] },
    ...(index !== undefined && { indexes: [{ columns: ['name'], name: index }] }),
  });
const diff = (model: ModelInfo, dialect: Dialect) => () => diffSchema([model], [], dialect).up.length;

describe.each(DIALECTS.map((dialect) => [dialect.capabilities.dialect, dialect] as const))(
  'names that are longer than %s keeps',
  (_name, dialect) => {
    const { longestName } = dialect.schema;
    const most = longestName?.most ?? 1_000;
    const letters = longestName?.unit === 'bytes' ? Math.floor(most / 2) : most;

    test.each([
      ['a table', named('t'.repeat(most + 1)), 'the table of Thing'],
      ['its schema', named(`${'s'.repeat(most + 1)}.t`), 'the table of Thing'],
      ['a column', named('t', 'c'.repeat(most + 1)), 'the column of Thing.name'],
      ['letters of two bytes', named('t', 'ä'.repeat(letters + 1)), 'the column of Thing.name'],
    ])('%s is refused, where there is a limit', (_what, model, what) => {
      const details = expect.objectContaining({ what, most });
      if (longestName === undefined) expect(diff(model, dialect)()).toBeGreaterThan(0);
      else expect(diff(model, dialect)).toThrow(expect.objectContaining({ code: 'FW_MIGRATE_NAME', details }));
    });

    test('what fits is made, with names of its own that fit', () => {
      expect(diff(named('t', 'ä'.repeat(letters)), dialect)()).toBeGreaterThan(0);
      // The given name of an index has up to 63 letters, whatever the database takes.
      const { up } = diffSchema([named('t'.repeat(most), 'c'.repeat(most), 'i'.repeat(63))], [], dialect);
      const names = up.flatMap((sql) => [...sql.matchAll(/["`[]([^"`\]]+)["`\]]/g)].map(([, name = '']) => name));
      expect(Math.max(...names.map((name) => Buffer.byteLength(name)))).toBe(most);
    });
  },
);
