import { describe, expect, test } from '@jest/globals';
import { RecordingHandle } from '../../contract/recording-handle.js';
import { standard } from '../../contract/standard-dialect.js';
import { columnOf, db, model, modelInfoOf, open, registerModel, table, type ModelInfo } from '../../index.js';
import { diffSchema } from '../../schema/index.js';

@table('tagged')
class Tagged {
  @db('nr,pk,autoincrement,type=int') id!: number;
  @db('mail_address,unique,type=string') mail!: string;
  @db('state,type=string,default=new') state!: string;
  @db('total,generated,type=int') total!: number;
  @db('-') secret = 'hidden';
}

const info = modelInfoOf(Tagged);
const ddl = diffSchema([info as unknown as ModelInfo], [], standard).up.join('\n');

/** Statements of some writes, against a handle that answers everything. */
async function written(run: (on: ReturnType<typeof tagged>) => Promise<unknown>): Promise<readonly string[]> {
  const handle = new RecordingHandle();
  await run(tagged(handle));
  return handle.sql;
}
const tagged = (handle: RecordingHandle) => model(open(handle, standard), Tagged);

test('the first element is the column, options follow [ORM-DB-COLUMN]', () => {
  expect(info.columns.map(({ property, name }) => [property, name])).toEqual([
    ['id', 'nr'],
    ['mail', 'mail_address'],
    ['state', 'state'],
    ['total', 'total'],
  ]);
});

test('pk marks the primary key [ORM-DB-PK]', () => {
  expect(info.primaryKey.map(({ name }) => name)).toEqual(['nr']);
  expect(ddl).toMatch(/"nr" \w+ .*PRIMARY KEY/);
});

test('an autoincrement value is left out of the insert and read back [ORM-DB-AUTOINCREMENT-01, ORM-DB-AUTOINCREMENT-02]', async () => {
  const handle = new RecordingHandle();
  const row = Object.assign(new Tagged(), { id: 77, mail: 'a@b', state: 'x' });
  const made = await tagged(handle).create(row);
  expect(handle.sql[0]).toBe('INSERT INTO "tagged" ("mail_address", "state") VALUES ($1, $2) RETURNING "nr", "total"');
  expect(made.id).toBe(1);
});

test('unique is a unique index of the migration [ORM-DB-UNIQUE]', () => {
  expect(ddl).toMatch(/CREATE UNIQUE INDEX .* \("mail_address"\)/);
  expect(ddl.match(/UNIQUE/g)).toHaveLength(1);
});

test('a default stands in the migration and in the metadata [ORM-DB-DEFAULT]', () => {
  expect(ddl).toMatch(/"state" STRING .*DEFAULT 'new'/);
  expect(info.column('state').definition.default).toBe('new');
});

test('a generated value is neither inserted nor updated [ORM-DB-GENERATED-01, ORM-DB-GENERATED-02]', async () => {
  const row = Object.assign(new Tagged(), { id: 1, mail: 'a@b', state: 'x', total: 5 });
  const [insert] = await written((on) => on.create(row)).then((sql) => sql.map((each) => each.split(' RETURNING ')[0]));
  const [update] = await written((on) => on.update(row));
  expect([insert, update].join()).not.toContain('total');
  expect(update).toMatch(/^UPDATE "tagged" SET "mail_address" = \$1, "state" = \$2 WHERE "nr" = \$3/);
  await expect(written((on) => on.updateAll({ column: 'total', value: 1 }))).rejects.toMatchObject({
    code: 'FW_ORM_READ_ONLY_COLUMN',
  });
});

test('a field with - takes no part in anything [ORM-DB-EXCLUDED]', async () => {
  const row = Object.assign(new Tagged(), { id: 1, mail: 'a@b', state: 'x' });
  const sql = await written(async (on) => {
    await on.find();
    await on.create(row);
    await on.update(row);
  });
  expect([...sql, ddl].join()).not.toMatch(/secret|"-"/);
  expect(() => tagged(new RecordingHandle()).where({ column: 'secret', op: 'eq', value: 1 })).toThrow('no column');
});

test('a default may hold commas, and a space at its end; a type may hold anything in quotes', () => {
  @table('lists')
  class List {
    @db('first,type=string,default=a\\, b,size=20') first!: string;
    @db('second,type=string,default= a\\ ') second!: string;
    @db('third,type=string,default=C:\\dir') third!: string;
    @db("fourth,type=string,default=x,sql=enum('a;b', 'c,d')") fourth!: string;
    @db('fifth,type=string,sql="Mood; of, one"[]') fifth!: string;
  }
  const { columns } = modelInfoOf(List);
  expect(columns.map(({ definition }) => definition.default)).toEqual(['a, b', ' a ', 'C:\\dir', 'x', undefined]);
  expect(columns[0]?.definition.size).toBe(20);
  expect(columns.map(({ definition }) => definition.sqlType).slice(3)).toEqual([
    "enum('a;b', 'c,d')",
    '"Mood; of, one"[]',
  ]);
});

test('an accessor has the column of its property, even where another column is called like it', () => {
  class Both {
    one!: number;
    two!: number;
  }
  const both = registerModel(Both, {
    name: 'Both',
    table: 'both',
    columns: [
      { property: 'one', column: 'two', kind: 'int' },
      { property: 'two', column: 'one', kind: 'int' },
    ],
  });
  expect([columnOf(both, 'one').info.name, columnOf(both, 'two').info.name]).toEqual(['two', 'one']);
});

describe('indexes of @table', () => {
  const ddlOf = (target: new () => object) => diffSchema([target], [], standard).up.slice(1);

  test('go by properties, in their order, under a name of their own or one that is given', () => {
    const indexes = [
      { columns: ['mail', 'tenantId'], unique: true },
      { columns: ['tenantId', 'mail'], name: 'by_tenant' },
    ] as const;
    @table('seats', { indexes })
    class Seat {
      @db('mail_address,type=string') mail!: string;
      @db('tenant_id,index,type=int') tenantId!: number;
    }
    expect(ddlOf(Seat)).toEqual([
      'CREATE INDEX "seats_tenant_id_idx" ON "seats" ("tenant_id")',
      'CREATE UNIQUE INDEX "seats_mail_address_tenant_id_key" ON "seats" ("mail_address", "tenant_id")',
      'CREATE INDEX "by_tenant" ON "seats" ("tenant_id", "mail_address")',
    ]);
  });

  test('have names that differ and that every database takes', () => {
    const long = 'a_column_whose_name_is_rather_long';
    @table('pairs', { indexes: [{ columns: ['a', 'b'] }, { columns: ['x', 'y'], unique: true }] })
    class Pair {
      @db('a,type=int') a!: number;
      @db('b,type=int') b!: number;
      @db('a_b,index,type=int') ab!: number;
      @db('a_column_whose_name_is_rather_long,type=int') x!: number;
      @db('another_column_whose_name_is_long,type=int') y!: number;
    }
    const names = ddlOf(Pair).map((sql) => /INDEX "(\w+)"/.exec(sql)?.[1] ?? '');
    expect(names[0]).toBe('pairs_a_b_idx');
    expect(names[1]).toMatch(/^pairs_a_b_[0-9a-f]{8}_idx$/);
    expect(names[2]).toMatch(new RegExp(`^pairs_${long}_\\w+_[0-9a-f]{8}_key$`));
    expect(names[2]).toHaveLength(60);
  });

  test('cannot name a property that the class has not; the types and the model say so', () => {
    // @ts-expect-error the class has no property tenant
    @table('stools', { indexes: [{ columns: ['mail', 'tenant'], unique: true }] })
    class Stool {
      @db('mail,type=string') mail!: string;
    }
    expect(() => modelInfoOf(Stool)).toThrow(
      expect.objectContaining({
        code: 'FW_ORM_MODEL',
        message:
          'The model Stool cannot be used: the index of (mail, tenant) names "tenant", which is no property with a column; those are: mail',
      }),
    );
  });
});
