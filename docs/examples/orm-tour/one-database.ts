import { defineApp, plugin } from 'fw';

const { env } = process;

/** An application with one database. */
export default defineApp({
  name: 'one-database',
  version: '1.0.0',
  plugins: [
    plugin(() => import('fw/orm'), { driver: 'postgres', url: env.DATABASE_URL }),
  ],
}); // prettier-ignore
