import { defineApp, plugin } from 'fw';

const { env } = process;

export default defineApp({
  name: 'bench-request',
  models: ['models/*.ts'],
  routes: ['routes/*.ts'],
  generated: () => import('./generated/index.js'),
  plugins: [
    plugin(() => import('fw/http'), { host: '127.0.0.1', port: 0 }),
    plugin(() => import('fw/middleware/jwt'), {
      accessSecret: env['JWT_SECRET'] ?? '',
      tokenCacheSize: Number(env['TOKEN_CACHE_SIZE'] ?? 4096),
    }),
    plugin(() => import('fw/orm'), { driver: 'sqlite', file: env['DATABASE_FILE'] }),
    plugin(() => import('./app.js')),
  ],
});
