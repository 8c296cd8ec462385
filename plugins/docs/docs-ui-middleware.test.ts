import { describe, expect, test } from '@jest/globals';
import { HttpServer, plugin, type Router } from '../../kernel/index.js';
import { bootTestApp, routesUnderTest } from '../../kernel/testing/index.js';
import http from '../http/index.js';
import {
  doc,
  docsUIMiddleware,
  generate,
  scalarMiddleware,
  swaggerMiddleware,
  type ScalarOptions,
  type SwaggerOptions,
} from './index.js';

const boot = (register: (router: Router) => void) =>
  bootTestApp({ plugins: [plugin(() => Promise.resolve(http), { port: 0 }), routesUnderTest(register)] });

describe('docsUIMiddleware', () => {
  test('serves document, UI and llms files from a router of one’s own, and passes requests on [MW-OVERVIEW-02, MW-DOCSUI-01, MW-DOCSUI-02]', async () => {
    await using app = await boot((router) => {
      router.use(docsUIMiddleware(router, { title: 'Mine', version: '9.0.0' }));
      router.get('/x', doc('GET', '/x', { title: 'X' }), () => 'x');
    });
    const { url } = app.services.get(HttpServer);
    expect(await (await fetch(`${url}/openapi.json`)).json()).toMatchObject({
      info: { title: 'Mine', version: '9.0.0' },
      paths: { '/x': { get: { summary: 'X' } } },
    });
    for (const path of ['/docsui', '/llms.txt', '/llms-full.txt', '/x'])
      expect((await fetch(`${url}${path}`)).status).toBe(200);
    expect(generate().info.title).toBe('Mine');
    expect(app.services.get(HttpServer).middlewares()).toEqual([]);
  });

  test('called twice, registers once and keeps what was said last [MW-DOCSUI-03]', async () => {
    await using app = await boot((router) => {
      docsUIMiddleware(router, { title: 'First' });
      docsUIMiddleware(router, { title: 'Second' });
    });
    const { url } = app.services.get(HttpServer);
    expect(await (await fetch(`${url}/openapi.json`)).json()).toMatchObject({ info: { title: 'Second' } });
  });

  test('serves JSON only with an empty uiPath', async () => {
    await using app = await boot((router) => void docsUIMiddleware(router, { uiPath: '' }));
    expect((await fetch(`${app.services.get(HttpServer).url}/docsui`)).status).toBe(404);
  });

  test('has two deprecated names that serve the same [VERSION-ALIAS-01] [VERSION-ALIAS-02]', async () => {
    const scalar: ScalarOptions = { title: 'Old name' };
    const swagger: SwaggerOptions = { uiPath: '/swagger', jsonPath: '/swagger.json' };
    expect([scalarMiddleware, swaggerMiddleware]).toEqual([docsUIMiddleware, docsUIMiddleware]);
    await using app = await boot((router) => router.use(scalarMiddleware(router, { ...swagger, ...scalar })));
    const page = await (await fetch(`${app.services.get(HttpServer).url}/swagger`)).text();
    expect(page).toContain('data-document="swagger.json"');
    expect(page).toContain('<title>Old name</title>');
  });
});
