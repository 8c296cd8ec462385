import { definePlugin, HttpRoutes, Type } from 'fw';
import { Database } from 'fw/orm';
import { adminRoutes } from './routes/admin.js';
import customers from './routes/customers.js';
import orders from './routes/orders.js';
import products from './routes/products.js';
import { seedOnFirstRun } from './seed.js';

/** The shop: a plugin like any other, listed in app.config.ts. */
export default definePlugin({
  id: 'shop',
  category: 'app',
  description: 'A small shop: customers, products, orders and order lines.',
  needs: ['http', 'orm'],
  uses: [Database],
  options: Type.Object({
    adminPassword: Type.String({ minLength: 1, secret: true, description: 'Password of POST /api/admin/login' }),
    accessSecret: Type.String({
      minLength: 32,
      secret: true,
      description: 'HMAC key of the tokens, as middleware/jwt has it',
    }),
  }),
  register({ options, contribute }) {
    for (const module of [products, customers, orders, adminRoutes(options)]) contribute(HttpRoutes, () => module);
  },
  async start({ get, log }) {
    const seeded = await seedOnFirstRun(get(Database));
    if (seeded > 0) log.info({ products: seeded }, 'the shop was empty: seeded it');
  },
});
