import { defineApp, plugin, type Resolver } from 'fw';
import { databaseNamed, db, type Int, model, type NewRow, table } from 'fw/orm';

/** What is kept. */
@table('kept_orders')
export class Order {
  @db('id,pk,autoincrement,type=int') id!: Int;
  @db('status,type=string') status!: string;
}

/** What is in the second database alone. */
@table('audit_entries', { database: 'archive' })
export class AuditEntry {
  @db('id,pk,autoincrement,type=int') id!: Int;
}

/** What is in both. */
@table('orders_of_both', { database: ['default', 'archive'] })
export class OrderOfBoth {
  @db('id,pk,autoincrement,type=int') id!: Int;
}

const env = process.env as Record<'DATABASE_URL', string>;

/** An application with a second database, which has a name. */
export const severalDatabases = defineApp({
  name: 'several-databases',
  version: '1.0.0',
  plugins: [
    plugin(() => import('fw/orm'), { driver: 'postgres', url: env.DATABASE_URL }),
    plugin(() => import('fw/orm/sqlite').then((dialect) => dialect.default.named('archive')), { file: 'data/archive.db' }),
  ],
}); // prettier-ignore

/** Puts an order into the second database. */
export async function keepOrder(services: Resolver, row: NewRow<Order>): Promise<void> {
  const archive = services.get(databaseNamed('archive')); // of fw/orm; a plugin lists the token in `uses`
  await model(archive, Order).create(row);
}
