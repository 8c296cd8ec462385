import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { HttpServer, plugin } from '../../../kernel/index.js';
import { bootTestApp, type BootedTestApp, routesUnderTest } from '../../../kernel/testing/index.js';
import http from '../index.js';
import { register } from './testing/own-module.js';

let app: BootedTestApp;
beforeAll(async () => {
  app = await bootTestApp({ plugins: [plugin(async () => http, { port: 0 }), routesUnderTest(register)] });
});
afterAll(() => app.stop());

const get = async (path: string) => {
  const answer = await fetch(app.services.get(HttpServer).url + path);
  return [answer.status, await answer.text()];
};

describe('a blocking handler of a source, under a test runner', () => {
  test('runs when it is named by import.meta.url, with what its source imports', async () => {
    const both = await Promise.all([get('/own?text=a'), get('/own?text=b')]);
    expect(both).toEqual(['A', 'B'].map((said) => [200, `{"said":"${said}","isThread":true}`]));
  });

  test('runs when it is named as what its source is built to', async () => {
    expect(await get('/beside')).toEqual([200, 'BESIDE']);
  });

  test('that is not there is an error of its route', async () => {
    expect(await get('/nowhere')).toEqual([500, expect.stringContaining('FW_HTTP_WORKER')]);
  });
});
