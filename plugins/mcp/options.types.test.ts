import { defineApp, plugin } from 'fw';

// Only the compiler reads this file.
defineApp({
  name: 'typed',
  plugins: [
    plugin(() => import('fw/mcp'), { mode: 'app-runtime', port: 0, scope: ['runtime', 'fleet'] }),
    // @ts-expect-error -- there is no such category
    plugin(() => import('fw/mcp'), { mode: 'app-runtime', port: 0, scope: ['everything'] }),
  ],
});
