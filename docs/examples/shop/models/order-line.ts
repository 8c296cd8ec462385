import { belongsTo, type BelongsTo, db, type Int, table, validate } from 'fw/orm';
import { Order } from './order.js';
import { Product } from './product.js';

/** One product of an order, at the price of that day. */
@table('order_lines')
export class OrderLine {
  @db('id,pk,autoincrement')
  id!: Int;

  @db('order_id,index')
  orderId!: Int;

  @db('product_id,index')
  productId!: Int;

  @db('quantity')
  @validate('min=1,max=1000')
  quantity!: Int;

  @db('price_cents')
  @validate('min=0')
  priceCents!: Int;

  @belongsTo(() => Order)
  order?: BelongsTo<Order>;

  @belongsTo(() => Product)
  product?: BelongsTo<Product>;
}
