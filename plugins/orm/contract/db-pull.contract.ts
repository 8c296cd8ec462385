import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCodegen } from '../../../codegen/engine/index.js';
import { model, ModelInfo, type Database, type ModelClass } from '../index.js';
import { runDbPull } from '../db-pull/index.js';
import { diffSchema, introspect } from '../schema/index.js';
import type { Subject } from './subject.js';
import type { OddSchema } from './odd-schema.js';
import { makeProject, mistakesIn } from './pulled-project.js';
import { withTables } from './with-tables.js';

/** Types that databases spell differently. */
export interface PulledTypes {
  /** A counted key. */
  readonly id: string;
  readonly date: string;
  readonly json: string;
  readonly bytes: string;
  readonly float: string;
}

/** What `fw db pull` must find in every real database. */
export function dbPullContract({ name, dialect, create }: Subject, types: PulledTypes, odd: OddSchema): void {
  describe(`fw db pull on ${name}`, () => {
    const folder = mkdtempSync(join(tmpdir(), 'fw-pull-'));
    let db: Database;
    const lines: string[] = [];
    const read = (file: string) => readFileSync(join(folder, file), 'utf8');

    withTables(create, dialect, [], (opened) => (db = opened));

    beforeAll(async () => {
      await db.sqlDB().script(`CREATE TABLE customers (
        id ${types.id}, email varchar(200) NOT NULL, born ${types.date}, active boolean NOT NULL,
        balance decimal(10, 2) DEFAULT 0 NOT NULL, score ${types.float}, settings ${types.json}, photo ${types.bytes})`);
      await db.sqlDB().script('CREATE UNIQUE INDEX customers_email ON customers (email)');
      await db.sqlDB().script(`CREATE TABLE order_lines (
        order_no integer NOT NULL, line_no integer NOT NULL, customer_id integer NOT NULL, note varchar(40), big bigint,
        status varchar(20) DEFAULT 'open' NOT NULL, PRIMARY KEY (order_no, line_no),
        CONSTRAINT order_lines_customer_id_note_key UNIQUE (customer_id, note), FOREIGN KEY (customer_id) REFERENCES customers (id))`);
      await db.sqlDB().script('CREATE INDEX lines_note ON order_lines (note)');
      await db.sqlDB().script('CREATE UNIQUE INDEX lines_once ON order_lines (status, line_no, order_no)');
      await db.sqlDB().script('CREATE INDEX order_lines_note_status_idx ON order_lines (note, status)');
      await db.sqlDB().script('CREATE INDEX lines_biggest ON order_lines (big DESC)');
      await db.sqlDB().script(`CREATE TABLE genres (id ${types.id}, name varchar(20) NOT NULL)`);
      await db.sqlDB().script(`CREATE TABLE customer_genres (customer_id integer NOT NULL, genre_id integer NOT NULL,
        PRIMARY KEY (customer_id, genre_id), FOREIGN KEY (customer_id) REFERENCES customers (id) ON DELETE CASCADE,
        FOREIGN KEY (genre_id) REFERENCES genres (id) ON DELETE CASCADE)`);
      await db.sqlDB().script(`CREATE TABLE genre_ranks (customer_id integer NOT NULL, genre_id integer NOT NULL,
        PRIMARY KEY (customer_id, genre_id), FOREIGN KEY (customer_id) REFERENCES customers (id) ON DELETE CASCADE,
        FOREIGN KEY (genre_id) REFERENCES genres (id))`);
      expect(await runDbPull({ db, root: folder, folder, print: (line) => lines.push(line) })).toBe(0);
      await makeProject(folder);
    }, 240_000);

    afterAll(() => rmSync(folder, { recursive: true }));

    test('reads keys, types, nullability, sizes, defaults and indexes', () => {
      expect(lines.filter((line) => line.startsWith('warning'))).toEqual([]);
      const customer = read('customer.ts');
      for (const declared of [
        "@table('customers')\nexport class Customer {",
        "@db('id,pk,autoincrement')\n  id!: Int;",
        "@db('email,unique,size=200')\n  email!: string;",
        "@db('born')\n  born!: Date | null;",
        "@db('active')\n  active!: boolean;",
        '  balance!: Decimal;',
        "@db('score')\n  score!: Float | null;",
        "@db('settings')\n  settings!: Json<unknown> | null;",
        "@db('photo')\n  photo!: Uint8Array | null;",
      ]) {
        expect(customer).toContain(declared);
      }
      const line = read('order-line.ts');
      for (const declared of [
        "@db('order_no,pk')\n  orderNo!: Int;",
        "@db('line_no,pk')\n  lineNo!: Int;",
        "@db('note,index,size=40')\n  note!: string | null;",
        "@db('big')\n  big!: bigint | null;",
        "@db('status,size=20,default=open')\n  status!: string;",
      ]) {
        expect(line).toContain(declared);
      }
    });

    test('reads indexes of several columns, in their order', () => {
      const line = read('order-line.ts');
      expect(line).toContain("@table('order_lines', {\n  indexes: [\n");
      for (const declared of [
        "    { columns: ['status', 'lineNo', 'orderNo'], unique: true, name: 'lines_once' },\n",
        "    { columns: ['note', 'status'] },\n",
        "    { columns: ['customerId', 'note'], unique: true },\n",
      ]) {
        expect(line).toContain(declared);
      }
      expect(line).toMatch(/\{ expressions: \['.?big.? DESC'\], name: 'lines_biggest' \},/);
    });

    test('makes relations of foreign keys, on both sides', () => {
      expect(read('order-line.ts')).toContain(
        "@belongsTo(() => Customer, { fk: 'customer_id', references: 'id', constraint: true })\n  customer?: BelongsTo<Customer>;",
      );
      expect(read('customer.ts')).toContain(
        "@hasMany(() => OrderLine, { fk: 'customer_id', references: 'id' })\n  orderLines?: HasMany<OrderLine>;",
      );
    });

    test('makes a relation on both sides of a table that only links them, and a model of one that says more', () => {
      expect(readdirSync(folder).filter((file) => /genre/.test(file))).toEqual(['genre-rank.ts', 'genre.ts']);
      expect(read('customer.ts')).toContain(
        "@manyToMany(() => Genre, { join: 'customer_genres', joinFk: 'customer_id', joinRefFk: 'genre_id' })\n  genres?: ManyToMany<Genre>;",
      );
      expect(read('genre.ts')).toContain(
        "@manyToMany(() => Customer, { join: 'customer_genres', joinFk: 'genre_id', joinRefFk: 'customer_id' })\n  customers?: ManyToMany<Customer>;",
      );
    });

    test('writes what the code generation takes', async () => {
      const { written } = await runCodegen({ root: folder });
      expect(written).toEqual(expect.arrayContaining(['generated/customer.ts', 'generated/order-line.ts']));
    });

    test('declares what the database is', async () => {
      const models: ModelInfo[] = [];
      // One after the other: the modules refer to each other.
      for (const file of ['customer', 'genre', 'genre-rank', 'order-line']) {
        const generated = (await import(join(folder, `generated/${file}.ts`))) as Readonly<Record<string, unknown>>;
        models.push(...Object.values(generated).filter((value) => value instanceof ModelInfo));
      }
      expect(models.map(({ table }) => table)).toEqual(['customers', 'genres', 'genre_ranks', 'order_lines']);
      expect(diffSchema(models, await introspect(db), dialect)).toEqual({ up: [], down: [], warnings: [] });
    });

    test('keeps a file that is there, unless it is told otherwise', async () => {
      const again: string[] = [];
      expect(await runDbPull({ db, root: folder, folder, print: (text) => again.push(text) })).toBe(1);
      expect(again).toContainEqual(expect.stringContaining('kept order-line.ts'));
      expect(await runDbPull({ db, root: folder, folder, force: true, print: () => undefined })).toBe(0);
    });
  });

  describe(`fw db pull of odd names on ${name}`, () => {
    const folder = mkdtempSync(join(tmpdir(), 'fw-odd-'));
    let db: Database;
    const lines: string[] = [];
    const read = (file: string) => readFileSync(join(folder, file), 'utf8');

    withTables(create, dialect, [], (opened) => (db = opened));

    beforeAll(async () => {
      for (const statement of odd.sql) await db.sqlDB().script(statement);
      expect(await runDbPull({ db, root: folder, folder, print: (line) => lines.push(line) })).toBe(0);
      await makeProject(folder);
    }, 240_000);

    afterAll(() => rmSync(folder, { recursive: true }));

    test('gives each table a class and each column a property that can be', () => {
      for (const [file, parts] of Object.entries(odd.declared)) {
        const declaration = read(file);
        for (const part of parts) expect(declaration).toContain(part);
      }
    });

    test('tells what it leaves out, on the terminal and in the file', () => {
      for (const [part, file] of odd.warned) {
        expect(lines).toContainEqual(expect.stringContaining(`warning: ${part}`));
        if (file !== undefined) expect(read(file)).toContain(`// - ${part}`);
      }
      expect(lines.join('')).not.toMatch(/[\n\r]/);
    });

    test('writes what the code generation and the compiler take, and what the database is', async () => {
      expect(await runCodegen({ root: folder })).toMatchObject({ ok: true, problems: [] });
      expect(mistakesIn(folder)).toEqual([]);
      const models: ModelInfo[] = [];
      for (const file of readdirSync(join(folder, 'generated')).filter((each) => /^(?!index\.).*\.ts$/.test(each))) {
        const generated = (await import(join(folder, 'generated', file))) as Readonly<Record<string, unknown>>;
        models.push(...Object.values(generated).filter((value) => value instanceof ModelInfo));
      }
      expect(models.length).toBe(readdirSync(folder).filter((file) => /^(?!app).*\.ts$/.test(file)).length);
      expect(diffSchema(models, await introspect(db), dialect)).toMatchObject({ up: [], down: [] });
    }, 240_000);

    test('reads and writes columns that make the same property, each as itself', async () => {
      const { Member } = (await import(join(folder, 'member.ts'))) as { Member: ModelClass<Record<string, unknown>> };
      await model(db, Member).create({ userId2: 7, userId: 'seven', constructor_: 1, _2fa: 2, _2fa2: 3 });
      expect(await model(db, Member).first()).toMatchObject({
        userId2: 7,
        userId: 'seven',
        constructor_: 1,
        _2fa: 2,
        _2fa2: 3,
      });
    });

    test('reads and writes columns that are called as what every object has', async () => {
      const { Constructor } = (await import(join(folder, 'constructor.ts'))) as {
        Constructor: ModelClass<Record<string, unknown>>;
      };
      const row = { constructor_: 1, hasOwnProperty_: 2, isPrototypeOf_: 3, toString_: 4, valueOf_: 5 };
      await model(db, Constructor).create(row);
      const found = await model(db, Constructor).where({ valueOf_: 5, toString_: 4 }).first();
      expect(Object.entries(found ?? {})).toEqual(expect.arrayContaining(Object.entries(row)));
      expect(await model(db, Constructor).where({ hasOwnProperty_: 3 }).count()).toBe(0);
    });

    test('queries, relations, writes and keys know odd names as any others', async () => {
      const classIn = async (file: string, name: string) =>
        ((await import(join(folder, file))) as Readonly<Record<string, ModelClass<Record<string, unknown>>>>)[
          name
        ] as ModelClass<Record<string, unknown>>;
      const [Line, Ordered, Cell] = [
        await classIn('order-line.ts', 'OrderLine'),
        await classIn('order.ts', 'Order'),
        await classIn('cell.ts', 'Cell'),
      ];
      const { id } = await model(db, Line).create({});
      const orders = model(db, Ordered);
      await orders.createBatch([
        { unitPrice: 3, größe: 1, lineNo: id, note: 'a' },
        { unitPrice: 1, größe: 2, itS: 5, note: 'b' },
      ]);
      const byPrice = orders.orderBy({ column: 'unitPrice' });
      const [first = {}, second] = (await byPrice.preload('lineNoRow' as never).find()) as object[];
      expect(first).toMatchObject({ unitPrice: 1, größe: 2, itS: 5, lineNoRow: null });
      expect(second).toMatchObject({ unitPrice: 3, größe: 1, lineNoRow: { id } });
      expect(await byPrice.after(byPrice.cursorOf(first)).find()).toMatchObject([{ unitPrice: 3 }]);
      expect(await orders.where({ column: 'unit-price', op: 'gt', value: 1 }).count()).toBe(1);
      await orders.update({ ...first, unitPrice: 9 });
      expect(await orders.sum('unitPrice' as never)).toBe(12);
      expect(
        await model(db, Line)
          .preload('orders' as never)
          .first(),
      ).toMatchObject({ orders: [{ größe: 1 }] });
      await model(db, Cell).create({ id: 1, theRow: 2 });
      await model(db, Cell).upsert({ id: 1, theRow: 2 }, { conflict: ['id', 'the row'] });
      await model(db, Cell).remove({ id: 1, theRow: 2 });
      expect([await model(db, Cell).count(), await orders.delete()]).toEqual([0, 2]);
    });
  });
}
