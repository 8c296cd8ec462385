import { and, type Database, db as column, type Int, model, raw, selectExpr, table } from 'fw/orm';
import { order } from '../../../generated/order.js';
import { product } from '../../../generated/product.js';
import { Customer } from '../shop/models/customer.js';
import { Order } from '../shop/models/order.js';
import { Product } from '../shop/models/product.js';

/** What somebody wrote on a row of one table or another. */
@table('remarks')
export class Remark {
  @column('id,pk,autoincrement,type=int') id!: Int;
  @column('about') about!: string;
  @column('about_id,type=int') aboutId!: Int;
  @column('words') words!: string;
}

/** What is SQL of one database, or of none that the ORM has words for; these lines are PostgreSQL's. */
export const rawRecipes = {
  'Full-text search': (db: Database) =>
    model(db, Product)
      .where(raw("to_tsvector('english', name) @@ websearch_to_tsquery('english', :words)", 'words', 'pens -red'))
      .find(),
  'One of an array, as one parameter': (db: Database) =>
    model(db, Order)
      .where(raw('id = ANY(CAST(:ids AS int[]))', 'ids', '{1,2}'))
      .orderBy(order.id.asc())
      .find(),
  'A lateral join: the newest two of each': (db: Database) =>
    model(db, Order)
      .where(
        raw(
          `id IN (SELECT newest.id FROM customers CROSS JOIN LATERAL (
          SELECT id FROM orders WHERE customer_id = customers.id ORDER BY created_at DESC LIMIT :most) AS newest)`,
          'most',
          2,
        ),
      )
      .orderBy(order.id.asc())
      .find(),
  'A relation to one table or another': (db: Database) =>
    model(db, Remark)
      .leftJoin(Customer, 'c', and({ column: 'about', op: 'eq', value: 'customer' }, raw('c.id = about_id')))
      .leftJoin(Product, 'p', and({ column: 'about', op: 'eq', value: 'product' }, raw('p.id = about_id')))
      .select('words', selectExpr('coalesce(c.name, p.name)', 'name'))
      .find(),
  'The dearest, and those that cost as much': (db: Database) =>
    model(db, Product)
      .where(
        raw('id IN (SELECT id FROM products ORDER BY price_cents DESC FETCH FIRST :most ROWS WITH TIES)', 'most', 2),
      )
      .orderBy(product.id.asc())
      .find(),
  'Writes within one statement': (db: Database) =>
    db.sqlDB().execute(
      `WITH gone AS (DELETE FROM remarks WHERE about = $1 RETURNING about, about_id, words)
        INSERT INTO remarks (about, about_id, words) SELECT 'then a ' || about, about_id, words FROM gone`,
      ['product'],
    ),
  'Rows of another table, merged': (db: Database) =>
    db.sqlDB().execute(
      `MERGE INTO remarks USING customers ON remarks.about = 'customer' AND remarks.about_id = customers.id
        WHEN MATCHED THEN UPDATE SET words = customers.name
        WHEN NOT MATCHED THEN INSERT (about, about_id, words) VALUES ('customer', customers.id, $1)`,
      ['new'],
    ),
  'Values of many rows in one update': (db: Database) =>
    model(db, Product)
      .where(product.id.in([1, 2]))
      .updateAll(
        product.stock.setRaw(
          raw(
            `(SELECT given.stock FROM (VALUES (CAST(:a AS int), CAST(:b AS int)), (CAST(:c AS int), CAST(:d AS int)))
              AS given (id, stock) WHERE given.id = products.id)`,
            { a: 1, b: 50, c: 2, d: 60 },
          ),
        ),
      ),
};
