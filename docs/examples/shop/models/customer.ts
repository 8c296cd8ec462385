import { db, hasMany, type HasMany, type Int, table, validate } from 'fw/orm';
import { Order } from './order.js';

/** Somebody who buys. */
@table('customers')
export class Customer {
  @db('id,pk,autoincrement')
  id!: Int;

  @db('name')
  @validate('required,max=100')
  name!: string;

  @db('email,unique')
  @validate('required,email')
  email!: string;

  @hasMany(() => Order)
  orders?: HasMany<Order>;
}
