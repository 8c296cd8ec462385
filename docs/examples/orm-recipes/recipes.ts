import {
  and,
  caseWhen,
  coalesce,
  countAll,
  cte,
  type Database,
  dateTrunc,
  derived,
  exists,
  from,
  LockForUpdate,
  model,
  multiply,
  notExists,
  or,
  over,
  rowNumber,
  scalar,
  sum,
  transaction,
  tuple,
  withPreloadLimit,
  withPreloadOrder,
} from 'fw/orm';
import { customer } from '../../../generated/customer.js';
import { order } from '../../../generated/order.js';
import { orderLine } from '../../../generated/order-line.js';
import { product } from '../../../generated/product.js';
import { Customer } from '../shop/models/customer.js';
import { Order } from '../shop/models/order.js';
import { OrderLine } from '../shop/models/order-line.js';
import { Product } from '../shop/models/product.js';

/** The first day, and the day behind the last one, of a month. */
export const MARCH = [new Date('2024-03-01T00:00:00Z'), new Date('2024-04-01T00:00:00Z')] as const;

/** What many applications ask a database, each by its question. The page shows the text behind the arrow. */
export const recipes = {
  'All rows': (db: Database) => model(db, Customer).find(),
  'One row by its key': (db: Database) => model(db, Order).where({ id: 1 }).first(),
  'Some columns': (db: Database) => model(db, Customer).select('id', 'name').find(),
  'Several conditions': (db: Database) => model(db, Order).where({ status: 'open', customerId: 1 }).find(),
  'A comparison': (db: Database) => model(db, Product).where(product.priceCents.gt(1000)).find(),
  'One of several conditions': (db: Database) =>
    model(db, Order)
      .where(or({ status: 'shipped' }, { status: 'paid', customerId: 1 }))
      .find(),
  'Conditions in conditions': (db: Database) =>
    model(db, Product)
      .where(or(product.stock.eq(0), and(product.priceCents.lt(500), product.name.neq('Pen'))))
      .find(),
  'One of a list': (db: Database) =>
    model(db, Order)
      .where(order.status.in(['open', 'paid']))
      .find(),
  'Pairs of a list': (db: Database) =>
    model(db, OrderLine)
      .where(
        tuple(orderLine.orderId, orderLine.productId).in([
          [1, 1],
          [2, 2],
        ]),
      )
      .find(),
  'A text in another, whatever its case': (db: Database) =>
    model(db, Customer).where(customer.name.ilike('%ADA%')).find(),
  'A span of time': (db: Database) =>
    model(db, Order)
      .where(order.createdAt.between(...MARCH))
      .find(),
  'The ten dearest': (db: Database) =>
    model(db, Product).orderBy(product.priceCents.desc(), product.name.asc()).limit(10).find(),
  'The second page': (db: Database) => model(db, Product).orderBy(product.name.asc()).page(2, 2).find(),
  'The page behind a row': (db: Database) => {
    const page = model(db, Order).orderBy(order.createdAt.desc()).limit(2);
    return page.after(page.cursorOf({ id: 3, createdAt: MARCH[0] })).find();
  },
  'How many': (db: Database) => model(db, Order).where({ status: 'open' }).count(),
  'Whether there is one': (db: Database) => model(db, Order).where({ customerId: 1 }).exists(),
  'A sum': (db: Database) => model(db, OrderLine).where({ orderId: 1 }).sum('quantity'),
  'How many of each': (db: Database) => model(db, Order).select('status', countAll()).groupBy('status').find(),
  'Groups of more than one': (db: Database) =>
    model(db, Order).select('customerId', countAll()).groupBy('customerId').having(countAll().gt(1)).find(),
  'Groups by a computed value': (db: Database) =>
    model(db, Order)
      .select(dateTrunc('month', order.createdAt).as('month'), countAll())
      .groupBy(dateTrunc('month', order.createdAt))
      .find(),
  'Columns of two tables': (db: Database) =>
    model(db, Order)
      .innerJoin(Customer, 'c', customer.id.eq(order.customerId))
      .select('id', 'status', customer.name)
      .find(),
  'All, and what belongs to them if there is': (db: Database) =>
    model(db, Customer).leftJoin(Order, 'o', order.customerId.eq(customer.id)).select('name', order.status).find(),
  'Rows with the rows that belong to them': (db: Database) => model(db, Customer).preload('orders').find(),
  'Rows, what belongs to them, and to that': (db: Database) =>
    model(db, Order).preload('customer', 'lines.product').find(),
  'The newest of each': (db: Database) =>
    model(db, Order).distinctOn('customerId').orderBy(order.createdAt.desc()).find(),
  'The newest two with each': (db: Database) =>
    model(db, Customer).preload('orders', withPreloadOrder(order.createdAt.desc()), withPreloadLimit(2)).find(),
  'Those that have some': (db: Database) =>
    model(db, Customer)
      .where(exists(model(db, Order).where(order.customerId.eq(customer.id))))
      .find(),
  'Those that have none': (db: Database) =>
    model(db, Product)
      .where(notExists(model(db, OrderLine).where(orderLine.productId.eq(product.id))))
      .find(),
  'Those that another query names': (db: Database) =>
    model(db, Order)
      .where(order.customerId.in(model(db, Customer).where({ name: 'Ada' }).select('id')))
      .find(),
  'A value of another query': (db: Database) =>
    model(db, Customer)
      .select('id', scalar(model(db, Order).where(order.customerId.eq(customer.id)).select(countAll())).as('orders'))
      .find(),
  'A choice': (db: Database) =>
    model(db, Product)
      .select('sku', caseWhen(product.stock.eq(0), 'gone').otherwise('there').as('state'))
      .find(),
  'A calculation': (db: Database) =>
    model(db, OrderLine).select('id', multiply(orderLine.quantity, orderLine.priceCents).as('total')).find(),
  'A place in an order': (db: Database) =>
    model(db, Order)
      .select(
        'id',
        over(rowNumber(), { partitionBy: [order.customerId], orderBy: [order.createdAt.desc()] }).as('place'),
      )
      .find(),
  'Rows of two queries': (db: Database) =>
    model(db, Customer).select('name').union(model(db, Product).select('name')).orderBy({ column: 'name' }).find(),
  'A query that is named': (db: Database) => {
    const paid = cte(
      'paid',
      model(db, Order).where({ status: 'paid' }).select('customerId', countAll()).groupBy('customerId'),
    );
    return from(db, paid).where(paid.columns.count.gt(0)).find();
  },
  'A join with a query': (db: Database) => {
    const spent = derived(
      'spent',
      model(db, OrderLine)
        .select('orderId', sum(multiply(orderLine.quantity, orderLine.priceCents)).as('total'))
        .groupBy('orderId'),
    );
    return model(db, Order)
      .leftJoin(spent, spent.columns.orderId.eq(order.id))
      .select('id', coalesce(spent.columns.total, 0).as('total'))
      .find();
  },
  'A new row': (db: Database) => model(db, Customer).create({ name: 'Eve', email: 'eve@example.org' }),
  'Several new rows': (db: Database) =>
    model(db, Product).createBatch([
      { sku: 'CUP-001', name: 'Cup', priceCents: 700 },
      { sku: 'CUP-002', name: 'Mug', priceCents: 800 },
    ]),
  'A new row, or a change of the one that is there': (db: Database) =>
    model(db, Product).upsert(
      { sku: 'PEN-001', name: 'Pen', priceCents: 250 },
      { conflict: 'sku', update: ['priceCents'] },
    ),
  'Several of them': (db: Database) =>
    model(db, Product).upsertBatch([{ sku: 'PEN-001', name: 'Pen', priceCents: 300 }], {
      conflict: 'sku',
      update: ['priceCents'],
    }),
  'A change of a row': (db: Database) => model(db, Customer).update({ id: 2, name: 'Bob B.' }),
  'A change of many': (db: Database) =>
    model(db, Order).where({ status: 'paid' }).updateAll(order.status.set('shipped')),
  'A counter': (db: Database) => model(db, Product).where({ id: 1 }).updateAll(product.stock.increment(5)),
  'A change, and the rows': (db: Database) =>
    model(db, Order).where({ customerId: 2 }).returning('id').updateAll(order.status.set('paid')),
  'Rows that are removed': (db: Database) => model(db, OrderLine).where({ productId: 3 }).delete(),
  'Rows that are removed by what belongs to them': (db: Database) =>
    model(db, OrderLine).innerJoin(Order, 'o', order.id.eq(orderLine.orderId)).where(order.status.eq('open')).delete(),
  'A row that nobody else changes meanwhile': (db: Database) =>
    transaction.run(db, null, null, (tx) => model(tx, Order).where({ id: 1 }).lock(LockForUpdate).first()),
};
