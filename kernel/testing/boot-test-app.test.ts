import { expect, jest, test } from '@jest/globals';
import { HttpServer, plugin } from '../index.js';
import http from '../../plugins/http/index.js';
import { bootTestApp, routesUnderTest } from './index.js';

const routes = routesUnderTest((router) => {
  router.get('/boom/:id', ({ params }) => {
    throw new Error(`boom ${params.id}`);
  });
});

async function printedWith(printErrors?: boolean): Promise<string> {
  using print = jest.spyOn(process.stderr, 'write').mockReturnValue(true);
  const plugins = [plugin(() => Promise.resolve(http), { port: 0 }), routes];
  await using app = await bootTestApp({ plugins, ...(printErrors !== undefined && { printErrors }) });
  const { url } = app.services.get(HttpServer);
  expect((await fetch(`${url}/nothing`)).status).toBe(404);
  expect((await fetch(`${url}/boom/7`)).status).toBe(500);
  expect(app.log.messages('error')).toEqual(['request failed']);
  return print.mock.calls.join('');
}

test('prints the errors of an application under test, where that is asked for', async () => {
  expect(await printedWith(true)).toMatch(
    /^request failed \{ .*path: '\/boom\/7'.* \}\nError: boom 7\n +at .*boot-test-app\.test\.ts:\d+:\d+/,
  );
  expect(await printedWith()).toBe('');
});
