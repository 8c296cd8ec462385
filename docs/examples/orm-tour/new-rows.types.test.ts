import { type Database, model, type NewRow, type PartialRow } from 'fw/orm';
import type { NewCustomer } from '../../../generated/customer.js';
import '../../../generated/order.js';
import '../../../generated/product.js';
import { Customer } from '../shop/models/customer.js';
import { Order } from '../shop/models/order.js';
import { Product } from '../shop/models/product.js';

// Checked by the compiler, never run: what `create` takes for a model with generated code.

export async function creates(on: Database): Promise<void> {
  await model(on, Customer).create({ name: 'Ada', email: 'ada@example.org' });
  // @ts-expect-error the database counts the key
  await model(on, Customer).create({ id: 1, name: 'Ada', email: 'ada@example.org' });
  await model(on, Customer).create({ id: 1, name: 'Ada', email: 'ada@example.org' }, { keepKeys: true });
  // @ts-expect-error a column that is not null and that nobody fills is missing
  await model(on, Customer).create({ name: 'Ada' });
  // @ts-expect-error it may not be undefined either
  await model(on, Customer).create({ name: 'Ada', email: undefined });
  // @ts-expect-error nor null
  await model(on, Customer).create({ name: 'Ada', email: null });
  // @ts-expect-error no such column
  await model(on, Customer).create({ name: 'Ada', email: 'ada@example.org', phone: '1' });
  // @ts-expect-error relations are written on their own
  await model(on, Customer).create({ name: 'Ada', email: 'ada@example.org', orders: [] });

  // The status has a default, the key is counted.
  await model(on, Order).create({ customerId: 1, createdAt: new Date() });
  // @ts-expect-error the time has no default
  await model(on, Order).create({ customerId: 1, status: 'paid' });
  // @ts-expect-error no such status
  await model(on, Order).create({ customerId: 1, createdAt: new Date(), status: 'lost' });
}

export async function batches(on: Database): Promise<void> {
  await model(on, Product).createBatch([{ sku: 'ABC-123', name: 'A', priceCents: 1 }]);
  // @ts-expect-error a row without a price
  await model(on, Product).createBatch([{ sku: 'ABC-123', name: 'A' }]);
  // @ts-expect-error the rows of a generator are checked as well
  await model(on, Product).createBatch(products());
  await model(on, Product).upsert({ sku: 'ABC-123', name: 'A', priceCents: 1 }, { conflict: 'sku' });
  // @ts-expect-error what may have to be inserted must be whole
  await model(on, Product).upsert({ sku: 'ABC-123', priceCents: 2 }, { conflict: 'sku', update: ['priceCents'] });
}

function* products() {
  yield { sku: 'ABC-123', name: 'A' };
}

export async function changes(on: Database, row: NewCustomer): Promise<void> {
  const made = await model(on, Customer).create(row satisfies NewRow<Customer>);
  made.email satisfies string;
  // @ts-expect-error a row has no trace of what create takes
  void made['newRow'];
  await model(on, Customer).update({ id: made.id, name: 'Ada L.' });
  await model(on, Customer).remove({ id: made.id } satisfies PartialRow<Customer>);
  // A row that was read, and an instance that was filled, are whole.
  await model(on, Customer).create({ ...made, email: 'ada@example.com' });
  await model(on, Customer).create(Object.assign(new Customer(), row));
}
