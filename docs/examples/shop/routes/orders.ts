import { fwError, type Static, Type } from 'fw';
import { routes } from 'fw/http';
import { Database, model, type Session, transaction } from 'fw/orm';
import { customer } from '../../../../generated/customer.js';
import { order } from '../../../../generated/order.js';
import { product } from '../../../../generated/product.js';
import { SHOP_ERRORS } from '../errors.js';
import { Customer } from '../models/customer.js';
import { OrderLine } from '../models/order-line.js';
import { Order } from '../models/order.js';
import { Product } from '../models/product.js';

const OrderId = Type.Object({ id: Type.Integer({ minimum: 1, description: 'Id of the order' }) });

const OrderStatus = Type.Union([Type.Literal('open'), Type.Literal('paid'), Type.Literal('shipped')]);

const ListQuery = Type.Object({
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 20 })),
  page: Type.Optional(Type.Integer({ minimum: 1, default: 1 })),
  status: Type.Optional(OrderStatus),
});

const NewLine = Type.Object({
  productId: Type.Integer({ minimum: 1 }),
  quantity: Type.Integer({ minimum: 1, maximum: 1000 }),
});

const NewOrder = Type.Object({
  customerId: Type.Integer({ minimum: 1 }),
  lines: Type.Array(NewLine, { minItems: 1, maxItems: 50 }),
});

const OrderChange = Type.Object({ status: OrderStatus });

const LineShape = Type.Object({
  id: Type.Integer(),
  orderId: Type.Integer(),
  productId: Type.Integer(),
  quantity: Type.Integer(),
  priceCents: Type.Integer(),
});

const OrderShape = Type.Object({
  id: Type.Integer(),
  customerId: Type.Integer(),
  status: OrderStatus,
  createdAt: Type.String({ format: 'date-time' }),
  lines: Type.Array(LineShape),
});

// The shop has no accounts of customers: what is not the owner's alone is for everybody, and each route says so.
export default routes((router, services) => {
  const db = services.get(Database);

  router.get(
    '/api/orders',
    {
      title: 'List orders',
      tags: ['orders'],
      public: true,
      input: { query: ListQuery },
      output: Type.Array(OrderShape),
    },
    async (ctx) => {
      const { limit = 20, page = 1, status } = ctx.input.query;
      const all = model(db, Order).preload('lines').orderBy(order.id.desc()).page(page, limit);
      return status === undefined ? all.find() : all.where(order.status.eq(status)).find();
    },
  );

  router.get(
    '/api/orders/:id',
    { title: 'Read an order', tags: ['orders'], public: true, input: { params: OrderId }, output: OrderShape },
    async (ctx) => orderOf(db, ctx.input.params.id),
  );

  router.post(
    '/api/orders',
    {
      title: 'Place an order',
      tags: ['orders'],
      public: true,
      input: { body: NewOrder },
      output: OrderShape,
      status: 201,
    },
    async (ctx) => transaction.run(db, null, null, (tx) => placeOrder(tx, ctx.input.body)),
  );

  router.patch(
    '/api/orders/:id',
    {
      title: 'Change the status of an order',
      tags: ['orders'],
      public: true,
      input: { params: OrderId, body: OrderChange },
      output: OrderShape,
    },
    async (ctx) => {
      const { id } = ctx.input.params;
      await model(db, Order).where(order.id.eq(id)).updateAll(order.status.set(ctx.input.body.status));
      return orderOf(db, id);
    },
  );
});

async function orderOf(db: Session, id: number) {
  const [row] = await model(db, Order).where(order.id.eq(id)).preload('lines').limit(1).find();
  if (!row) throw fwError(SHOP_ERRORS.FW_SHOP_NOT_FOUND, { what: 'order', id });
  return row;
}

async function placeOrder(tx: Session, { customerId, lines }: Static<typeof NewOrder>) {
  if (!(await model(tx, Customer).where(customer.id.eq(customerId)).exists())) {
    throw fwError(SHOP_ERRORS.FW_SHOP_NOT_FOUND, { what: 'customer', id: customerId });
  }
  const placed = await model(tx, Order).create({ customerId, status: 'open', createdAt: new Date() });
  for (const line of lines) await addLine(tx, placed.id, line);
  return orderOf(tx, placed.id);
}

async function addLine(tx: Session, orderId: number, { productId, quantity }: Static<typeof NewLine>) {
  const [ordered] = await model(tx, Product).where(product.id.eq(productId)).limit(1).find();
  if (!ordered) throw fwError(SHOP_ERRORS.FW_SHOP_NOT_FOUND, { what: 'product', id: productId });
  const { sku, stock, priceCents } = ordered;
  if (stock < quantity) throw fwError(SHOP_ERRORS.FW_SHOP_OUT_OF_STOCK, { sku, stock, wanted: quantity });
  await model(tx, Product)
    .where(product.id.eq(productId))
    .updateAll(product.stock.set(stock - quantity));
  await model(tx, OrderLine).create({ orderId, productId, quantity, priceCents });
}
