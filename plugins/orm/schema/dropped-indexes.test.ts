import { expect, test } from '@jest/globals';
import { column, KEY, things } from '../contract/schema-pairs.js';
import { diffSchema, introspect } from './index.js';
import { openSqlite, sqlite } from '../dialect-sqlite/index.js';
import { open, registerModel } from '../index.js';

const columns = [column('id', 'int', KEY), column('size', 'int')];
const indexed = (where: string) =>
  things(columns, {
    indexes: [
      { columns: ['size'], where, name: 'by' },
      { columns: [], expressions: ['size + 1'] },
    ],
  });

// Their names end in a digest, as those of migrations do that say more than columns.
test('an index that somebody made is told of, also where the model has another one that begins alike', async () => {
  const db = open(await openSqlite(':memory:'), sqlite);
  try {
    const [made, changed] = [indexed('size > 1'), indexed('size > 2')];
    await db.sqlDB().script(diffSchema([made], await introspect(db), sqlite).up.join(';'));
    await db.sqlDB().script('CREATE INDEX by_somebody_0a1b2c3d ON things (size + 2, id) WHERE size > 9');
    const { up, warnings } = diffSchema([changed], await introspect(db), sqlite);
    expect(up.filter((each) => each.startsWith('DROP INDEX'))).toHaveLength(2);
    expect(warnings).toEqual([
      'the index by_somebody_0a1b2c3d of things (size + 2, id) is dropped, which no model asks for; where somebody made it on purpose, declare it',
    ]);
  } finally {
    await db.close();
  }
});

test('what a database has no words for is refused where it is declared, and what is none at all by the model', () => {
  const unsupported = expect.objectContaining({ code: 'FW_MIGRATE_UNSUPPORTED' });
  for (const index of [
    { columns: ['size'], include: ['id'] },
    { columns: ['size'], unique: true, nullsNotDistinct: true },
  ])
    // prettier-ignore
    expect(() => diffSchema([things(columns, { indexes: [index] })], [], sqlite)).toThrow(unsupported);
  for (const index of [
    { columns: ['size'], include: ['size'] },
    { columns: ['size'], include: ['no'] },
    { columns: ['size'], nullsNotDistinct: true },
  ])
    // prettier-ignore
    expect(() => things(columns, { indexes: [index] })).toThrow(expect.objectContaining({ code: 'FW_ORM_MODEL' }));
  class Thing {}
  const relation = { property: 'whole', kind: 'belongsTo', target: () => Thing, fk: 'size', deferrable: 'deferred' } as const; // prettier-ignore
  registerModel(Thing, { name: 'Thing', table: 'things', columns, relations: [relation] });
  expect(() => diffSchema([Thing], [], sqlite)).toThrow(unsupported);
});
