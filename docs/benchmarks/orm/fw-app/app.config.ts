import { defineApp, plugin } from 'fw';

export default defineApp({
  name: 'bench-orm',
  models: ['models/*.ts'],
  generated: () => import('./generated/index.js'),
  plugins: [plugin(() => import('fw/orm'), { driver: 'sqlite', file: ':memory:' })],
});
