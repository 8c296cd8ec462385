import { db, type Int, table, validate } from 'fw/orm';

/** Something for sale. */
@table('products')
export class Product {
  @db('id,pk,autoincrement')
  id!: Int;

  @db('sku,unique')
  @validate('required,regex=^[A-Z]{3}-\\d{3}$')
  sku!: string;

  @db('name')
  @validate('required,max=120')
  name!: string;

  /** Price in cents, so that sums are exact. */
  @db('price_cents')
  @validate('min=0')
  priceCents!: Int;

  @db('stock,default=0')
  @validate('min=0')
  stock!: Int;
}
