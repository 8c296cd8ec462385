import { belongsTo, type BelongsTo, db, hasMany, type HasMany, type Int, table } from 'fw/orm';
import { Customer } from './customer.js';
import { OrderLine } from './order-line.js';

/** What a customer ordered at one time. */
@table('orders')
export class Order {
  @db('id,pk,autoincrement')
  id!: Int;

  @db('customer_id,index')
  customerId!: Int;

  @db('status,default=open')
  status!: 'open' | 'paid' | 'shipped';

  @db('created_at')
  createdAt!: Date;

  @belongsTo(() => Customer)
  customer?: BelongsTo<Customer>;

  @hasMany(() => OrderLine)
  lines?: HasMany<OrderLine>;
}
