import { afterEach, beforeEach, expect } from '@jest/globals';
import { openAny, test } from '../../contract/any-database.js';
import {
  ValidationError,
  assertValid,
  db as column,
  model,
  registerCustom,
  table,
  validate,
  type Database,
  type Decimal,
} from '../../index.js';

@table('goods')
class Goods {
  @column('id,pk,autoincrement,type=int') id!: number;
  @column('name,unique,type=string') @validate('required,max=10') name!: string;
  @column('price,type=decimal,precision=20,scale=4') @validate('required,min=0.5,max=1e3') price!: Decimal;
  @column('stock,type=bigint,nullable') @validate('max=9007199254740993') stock!: bigint | null;
}

@table('booked')
class Booked {
  @column('id,pk,autoincrement,type=int') id!: number;
  @column('seat,type=string') @validate('max=5,custom=free,custom=numbered') seat!: string;
}

const free = new Set(['A1', 'A2', 'B']);
const later = () => new Promise((resolve) => setImmediate(resolve));
registerCustom('free', async (seat) => {
  await later();
  if (seat === 'down') throw new RangeError('the hall does not answer');
  return free.has(String(seat)) ? null : 'is taken';
});
registerCustom('numbered', (seat) => (/\d/.test(String(seat)) ? undefined : new Error('has no number')));
registerCustom('truthy', (() => true) as never);

// Databases differ in the zeros behind it.
const THREE = expect.stringMatching(/^3(\.0+)?$/);
let db: Database;
beforeEach(async () => {
  db = await openAny([Goods, Booked], { validate: true });
});
afterEach(() => db.close());

const broken = (fields: Record<string, string>) => ({
  code: 'FW_ORM_VALIDATION',
  fields: Object.fromEntries(
    Object.entries(fields).map(([field, message]) => [field, expect.objectContaining({ message })]),
  ),
});

test.each(['update', 'save'] as const)('%s checks the columns that it is given, and no others', async (write) => {
  const { id } = await model(db, Goods).create({ name: 'pen', price: '2.50' });
  await model(db, Goods)[write]({ id, price: '3' });
  expect(await model(db, Goods).first()).toMatchObject({ name: 'pen', price: THREE });
  await expect(model(db, Goods)[write]({ id, name: '' })).rejects.toMatchObject(broken({ name: 'is required' }));
  const none = model(db, Goods)[write]({ id, name: null as never, price: '0.1' });
  await expect(none).rejects.toMatchObject(broken({ name: 'is required', price: 'must be >= 0.5' }));
  const without = model(db, Goods).create({ price: '3' });
  await expect(without).rejects.toMatchObject(broken({ name: 'is required' }));
  expect(await model(db, Goods).find()).toMatchObject([{ name: 'pen', price: THREE }]);
});

test('an upsert is checked as a creation, which it may be', async () => {
  await model(db, Goods).create({ name: 'pen', price: '2.50' });
  const upsert = (row: object) => model(db, Goods).upsert(row, { conflict: 'name' });
  await expect(upsert({ name: 'pen', price: '1001' })).rejects.toMatchObject(broken({ price: 'must be <= 1e3' }));
  await expect(upsert({ name: 'a long long name' })).rejects.toMatchObject(
    broken({ name: 'must be at most 10 characters', price: 'is required' }),
  );
  await upsert({ name: 'pen', price: '1000.0000' });
  expect(await model(db, Goods).find()).toMatchObject([{ name: 'pen', price: '1000.0000' }]);
});

test.each([
  ['9.5', undefined],
  ['0.50', undefined],
  ['.5', undefined],
  ['1000', undefined],
  ['0.4999999999999999999999999', 'must be >= 0.5'],
  ['-7', 'must be >= 0.5'],
  ['0.00', 'is required'],
  ['1000.00000000000000000000001', 'must be <= 1e3'],
  ['1e400', 'must be <= 1e3'],
  // No number: nobody writes out so many zeros.
  ['1e999999999', 'must be >= 0.5'],
])('a decimal is a number to min and max: %s', (price, message) => {
  const error = validate(Object.assign(new Goods(), { name: 'x', price }));
  expect(error?.fields['price']?.message).toBe(message);
});

test('a bigint is compared by all of its digits', () => {
  const goods = (stock: bigint) => Object.assign(new Goods(), { name: 'x', price: '1', stock });
  expect(validate(goods(9_007_199_254_740_993n))).toBeNull();
  expect(validate(goods(9_007_199_254_740_994n))?.fields['stock']?.message).toBe('must be <= 9007199254740993');
});

test('a custom rule that gives a promise is waited for when a row is written', async () => {
  const { id } = await model(db, Booked).create({ seat: 'A1' });
  await model(db, Booked).createBatch([{ seat: 'A2' }]);
  const taken = { seat: 'is taken' };
  await expect(model(db, Booked).create({ seat: 'C9' })).rejects.toMatchObject(broken(taken));
  await expect(model(db, Booked).createBatch([{ seat: 'C9' }])).rejects.toMatchObject(broken(taken));
  await expect(model(db, Booked).update({ id, seat: 'C9' })).rejects.toMatchObject(broken(taken));
  await expect(model(db, Booked).upsert({ seat: 'C9' })).rejects.toMatchObject(broken(taken));
  // The first that fails speaks, whatever time it took.
  await expect(model(db, Booked).create({ seat: 'B' })).rejects.toMatchObject(broken({ seat: 'has no number' }));
  await expect(model(db, Booked).create({ seat: 'C99999' })).rejects.toMatchObject(
    broken({ seat: 'must be at most 5 characters' }),
  );
  await expect(model(db, Booked).create({ seat: 'down' })).rejects.toMatchObject(
    broken({ seat: 'the hall does not answer' }),
  );
  expect((await model(db, Booked).find()).map(({ seat }) => seat)).toEqual(['A1', 'A2']);
});

test('validate cannot wait, and says so; what fails before is told', () => {
  const row = Object.assign(new Booked(), { seat: 'A1' });
  const waits = expect.objectContaining({
    code: 'FW_ORM_VALIDATION_WAITS',
    message: expect.stringMatching(/^Booked\.seat: a custom rule gives a promise/),
  });
  expect(() => validate(row)).toThrow(waits);
  expect(() => assertValid(row)).toThrow(waits);
  expect(validate(Object.assign(new Booked(), { seat: 'A99999' }))).toBeInstanceOf(ValidationError);
});

test('a custom rule that gives something else says what it has to give', () => {
  @table('odd')
  class Odd {
    @column('a,type=int') @validate('custom=truthy') a = 1;
  }
  expect(validate(new Odd())?.fields['a']?.message).toBe(
    'the rule "truthy" gave a boolean where an Error, a sentence, or nothing was expected',
  );
});
