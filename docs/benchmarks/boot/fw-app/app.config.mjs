import { defineApp, plugin } from 'fw';

export default defineApp({
  name: 'boot',
  plugins: [plugin(() => import('fw/http'), { port: 0 }), plugin(() => import('./hello.mjs'))],
});
