import { defineApp, plugin } from 'fw';

const { env } = process;
const port = Number(env.PORT ?? 3000);

/** Long enough for HS256, and good for nothing but a shop on your own machine: set SHOP_JWT_SECRET for anything else. */
const accessSecret = env.SHOP_JWT_SECRET ?? 'an example secret that everybody can read';

/** The reference application: the shop of docs/examples/shop. Middlewares wrap each other in this order, outermost first. */
export default defineApp({
  name: 'shop',
  version: '1.0.0',
  models: ['docs/examples/shop/models/*.ts'],
  routes: ['docs/examples/shop/routes/*.ts'],
  generated: () => import('./generated/index.js'),
  plugins: [
    plugin(() => import('fw/http'), { host: env.HOST ?? '127.0.0.1', port }, { test: { port: 0 } }),
    // These observe what comes after them: they stand outside the nine middlewares.
    plugin(() => import('fw/fleet/aggregator')),
    plugin(() => import('fw/fleet/tracer'), { enabled: true }),
    plugin(() => import('fw/dashboard'), { fleetAggregatorURL: '/fleet' }),
    plugin(() => import('fw/middleware/recovery')),
    plugin(() => import('fw/middleware/logging'), {}, { test: false }),
    plugin(() => import('fw/middleware/rate-limit'), { requests: 600, per: '1m' }),
    plugin(() => import('fw/middleware/locale'), { dir: 'docs/examples/shop/locales' }),
    plugin(() => import('fw/middleware/cors'), {
      allowOrigins: '*',
      allowMethods: 'GET, POST, PATCH, DELETE',
      allowHeaders: 'Content-Type, Authorization',
      maxAge: '600',
    }),
    plugin(() => import('fw/middleware/security-headers')),
    // The admin routes say themselves which role they need; the pattern is the second line.
    plugin(() => import('fw/middleware/jwt'), { accessSecret, protect: ['/api/admin/**'] }),
    plugin(() => import('fw/middleware/etag'), { maxEntries: 10_000 }),
    plugin(() => import('fw/middleware/compression')),
    plugin(
      () => import('fw/orm'),
      { driver: 'sqlite', file: env.SHOP_DATABASE ?? '.fw/shop.sqlite', schema: 'create-missing' },
      { test: { file: ':memory:' } },
    ),
    plugin(() => import('fw/docs'), {
      title: 'Shop',
      description: 'A small shop: customers, products, orders and order lines. The reference application of fw.',
      llmsDir: 'docs/examples/shop',
    }),
    plugin(() => import('./docs/examples/shop/index.js'), {
      adminPassword: env.SHOP_ADMIN_PASSWORD ?? 'admin',
      accessSecret,
    }),
    // Beside the application, so that two of them on other ports are not in each other's way.
    plugin(
      () => import('fw/mcp'),
      { mode: 'app-runtime', port: Number(env.MCP_PORT ?? (port === 0 ? 0 : port + 100)) },
      { test: { port: 0 } },
    ),
  ],
});
