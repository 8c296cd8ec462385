import { afterEach, describe, expect, test } from '@jest/globals';
import { type TSchema, Type } from 'typebox';
import { HttpServer, plugin, type Router } from '../../kernel/index.js';
import { bootTestApp, type BootedTestApp, routesUnderTest } from '../../kernel/testing/index.js';
import http from './index.js';

const apps: BootedTestApp[] = [];
afterEach(async () => {
  for (const app of apps.splice(0)) await app.stop();
});

async function started(routes: (router: Router) => void): Promise<string> {
  const app = await bootTestApp({ plugins: [plugin(() => Promise.resolve(http), { port: 0 }), routesUnderTest(routes)] }); // prettier-ignore
  apps.push(app);
  return app.services.get(HttpServer).url;
}

const address = (zip: TSchema) => Type.Object({ zip }, { $id: 'Address' });
const post = async (url: string, body: unknown) => {
  const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
  const response = await fetch(url, init);
  return [response.status, await response.json()] as const;
};

describe('a schema with an $id', () => {
  test.each([
    ['alone', 'twice', 'referred'],
    ['referred', 'twice', 'alone'],
  ])(
    // prettier-ignore
    'may be shared by inputs and outputs, asked in the order %s, %s, %s',
    async (...order) => {
      const Address = address(Type.Integer());
      const bodies: Record<string, [TSchema, (value: unknown) => unknown]> = {
        alone: [Address, (value) => value],
        twice: [Type.Object({ a: Address, b: Type.Array(Address) }), (value) => ({ a: value, b: [value] })],
        referred: [Type.Object({ a: Type.Ref('Address'), b: Type.Union([Address, Type.Null()]) }), (value) => ({ a: value, b: null })], // prettier-ignore
      };
      const url = await started((router) => {
        for (const [name, [body]] of Object.entries(bodies)) {
          router.post(`/${name}`, { input: { body }, output: body }, (ctx) => ctx.input.body as object);
        }
      });
      for (const name of order) {
        const [, valueWith] = bodies[name] as (typeof bodies)[string];
        expect(await post(`${url}/${name}`, valueWith({ zip: 1, more: 2 }))).toEqual([200, valueWith({ zip: 1 })]);
        expect(await post(`${url}/${name}`, valueWith({ zip: 'x' }))).toMatchObject([422, {}]);
      }
    },
  );

  test('is another one in another application of the process', async () => {
    const one = (zip: TSchema) => (router: Router) =>
      void router.post('/', { input: { body: Type.Object({ to: address(zip) }) } }, (ctx) => ctx.input.body);
    const [numbers, texts] = [await started(one(Type.Integer())), await started(one(Type.String()))];
    for (let round = 0; round < 2; round++) {
      expect((await post(numbers, { to: { zip: 1 } }))[0]).toBe(200);
      expect((await post(texts, { to: { zip: 'a' } }))[0]).toBe(200);
      expect((await post(numbers, { to: { zip: 'a' } }))[0]).toBe(422);
      expect((await post(texts, { to: { zip: 1 } }))[0]).toBe(422);
    }
  });

  test('stops the boot when another of the application has it, and names both places', async () => {
    const boot = started((router) => {
      router.post('/a', { input: { body: address(Type.Integer()) } }, () => ({}));
      router.get('/b', { output: Type.Array(address(Type.String())) }, () => []);
    });
    await expect(boot).rejects.toMatchObject({
      message: expect.stringMatching(/"Address": one in input\.body of POST \/a, another in output of GET \/b/),
    });
  });
});
