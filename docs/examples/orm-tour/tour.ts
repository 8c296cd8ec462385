import { countAll, type Database, LockForUpdate, model, OpGte, or, raw, transaction, withPreloadLimit } from 'fw/orm';
import { customer } from '../../../generated/customer.js';
import { order } from '../../../generated/order.js';
import { Customer } from '../shop/models/customer.js';
import { Order } from '../shop/models/order.js';

/** Writes rows in every way that the guide to the ORM shows. */
export async function writeRows(db: Database): Promise<void> {
  const ada = await model(db, Customer).create({ name: 'Ada', email: 'ada@example.org' });
  await model(db, Customer).createBatch([
    { name: 'Bob', email: 'bob@example.org' },
    { name: 'Cy', email: 'cy@example.org' },
  ]);

  ada.name = 'Ada L.';
  await model(db, Customer).update(ada);
  await model(db, Customer).upsert(
    { name: 'Bobby', email: 'bob@example.org' },
    { conflict: 'email', update: ['name'] },
  );
  await model(db, Customer).where(customer.name.eq('Cy')).updateAll(customer.name.set('Cyrus'));

  await model(db, Order).createBatch(orders(ada.id));
}

function* orders(customerId: number) {
  for (let day = 1; day <= 5; day++) {
    yield { customerId, status: day > 3 ? ('paid' as const) : ('open' as const), createdAt: new Date(2024, 0, day) };
  }
}

/** Reads them back. */
export async function readRows(db: Database) {
  const names = await model(db, Customer)
    .where(or(customer.email.like('ada%'), customer.name.in(['Bobby', 'Cyrus'])))
    .orderBy(customer.name.asc())
    .select('id', 'name')
    .find();

  const same = await model(db, Customer)
    .where({ column: 'id', op: OpGte, value: 1 })
    .where(raw('lower(email) = :email', 'email', 'ada@example.org'))
    .first();

  const withOrders = await model(db, Customer)
    .preload('orders', withPreloadLimit(2))
    .preload('orders.lines')
    .where(customer.id.eq(same.id))
    .first();

  const perStatus = await model(db, Order)
    .select(order.status, countAll())
    .groupBy(order.status)
    .orderBy(order.status.asc())
    .find();

  const page = model(db, Order).orderBy(order.createdAt.desc(), order.id.asc()).limit(2);
  const first = await page.find();
  const second = await page.after(page.cursorOf(first[1] as Order)).find();

  let streamed = 0;
  for await (const { id } of model(db, Order).stream()) streamed += id > 0 ? 1 : 0;

  return { names, same, orders: withOrders.orders.length, perStatus, days: [...first, ...second], streamed };
}

/** Pays an order, once. */
export async function pay(db: Database, id: number): Promise<boolean> {
  return transaction.run(db, null, null, async (tx) => {
    const found = await model(tx, Order).where(order.id.eq(id)).lock(LockForUpdate).first();
    if (found.status !== 'open') return false;
    found.status = 'paid';
    await model(tx, Order).update(found);
    return true;
  });
}

/** Adds a customer in a transaction that no function is around. */
export async function addDora(db: Database): Promise<void> {
  await using tx = await transaction.begin(db, { timeout: 30_000 });
  await model(tx, Customer).create({ name: 'Dora', email: 'dora@example.org' });
  const attempt = await transaction.begin(tx); // a savepoint
  await model(attempt, Customer).where(customer.name.eq('Dora')).delete();
  await attempt.rollback(); // undoes the deletion; commit() keeps it
  await tx.commit();
}
