import { expect, test } from '@jest/globals';
import httpPlugin, { routes } from '../../plugins/http/index.js';
import { plugin } from '../config/index.js';
import { Clock } from '../contracts/index.js';
import { HttpRoutes, HttpServer } from '../contracts/http.js';
import { definePlugin } from '../plugin/index.js';
import { bootTestApp } from '../testing/index.js';

const clock = definePlugin({
  id: 'clock',
  category: 'app',
  description: 'Tells the time over HTTP.',
  needs: ['http'],
  register({ contribute }) {
    contribute(HttpRoutes, () =>
      routes((router, services) => {
        const time = services.get(Clock);
        router.get('/now', () => ({ now: time.now() }));
      }),
    );
  },
});

test('no request resolves anything from the container', async () => {
  const app = await bootTestApp({ plugins: [plugin(async () => httpPlugin, { port: 0 }), clock] });
  const { url } = app.services.get(HttpServer);
  const before = app.services.resolutions;
  for (const path of ['/now', '/now', '/nowhere']) await (await fetch(url + path)).text();
  expect(app.services.resolutions).toBe(before);
  await app.stop();
});
