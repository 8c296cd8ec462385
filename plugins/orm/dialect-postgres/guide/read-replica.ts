import { defineApp, plugin, type Resolver } from 'fw';
import { databaseNamed, db, type Int, model, table } from 'fw/orm';

/** What is read from the replica. */
@table('replicated_orders')
export class Order {
  @db('id,pk,autoincrement,type=int') id!: Int;
  @db('status,type=string') status!: string;
}

const env = process.env as Record<'DATABASE_URL' | 'REPLICA_URL', string>;

/** An application with a database and a replica of it. */
export const withReplica = defineApp({
  name: 'with-replica',
  version: '1.0.0',
  plugins: [
    plugin(() => import('fw/orm'), { driver: 'postgres', url: env.DATABASE_URL }),
    plugin(() => import('fw/orm/postgres').then((dialect) => dialect.default.named('replica')), { url: env.REPLICA_URL }),
  ],
}); // prettier-ignore

/** Looks for open orders in the replica. */
export async function countOpen(services: Resolver): Promise<number> {
  const found =
    await model(services.get(databaseNamed('replica')), Order).where({ status: 'open' }).find();
  return found.length;
} // prettier-ignore
