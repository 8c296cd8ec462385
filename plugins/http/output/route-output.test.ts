import { Readable } from 'node:stream';
import { afterEach, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { Type } from 'typebox';
import {
  definePlugin,
  HttpServer,
  type Middleware,
  ModelCatalogue,
  plugin,
  type Router,
} from '../../../kernel/index.js';
import { bootTestApp, type BootedTestApp, routesUnderTest } from '../../../kernel/testing/index.js';
import docs, { docGET } from '../../docs/index.js';
import http from '../index.js';
import { declaredValues, MARKER } from './testing/declared-values.js';

const User = Type.Object({ id: Type.Integer(), name: Type.String() });
const row = { id: 1, name: 'Ada', passwordHash: MARKER };
const sent = { id: 1, name: 'Ada' };

let app: BootedTestApp | undefined;
afterEach(() => app?.stop());

interface Setup {
  readonly profile?: string;
  readonly collect?: boolean;
  readonly middlewares?: readonly Middleware[];
  readonly catalogue?: ModelCatalogue;
  readonly fastPath?: 'full' | 'off';
}

async function serve(
  register: (router: Router) => void,
  { profile = 'test', collect = true, middlewares = [], catalogue, fastPath = 'full' }: Setup = {},
) {
  const models = definePlugin({
    id: 'models',
    category: 'app',
    description: 'models',
    register: ({ contribute }) => {
      if (catalogue) contribute(ModelCatalogue, () => catalogue);
    },
  });
  app = await bootTestApp({
    profile,
    plugins: [
      plugin(async () => http, { port: 0, fastPath }),
      plugin(async () => docs, { collect }),
      models,
      routesUnderTest(register, middlewares),
    ],
  });
  const { url } = app.services.get(HttpServer);
  return async (path: string) => {
    const answer = await fetch(`${url}${path}`);
    const text = await answer.text();
    return {
      status: answer.status,
      text,
      json: /json/.test(answer.headers.get('content-type') ?? '') ? (JSON.parse(text) as unknown) : undefined,
    };
  };
}

describe('the output of a route', () => {
  test.each([
    { collect: true, fastPath: 'full' },
    { collect: false, fastPath: 'off' },
  ] as const)('decides what leaves, returned, set or put in its place by its middlewares: %p', async (setup) => {
    const lie: Middleware = async (ctx, next) => {
      await next();
      ctx.body = { ...(ctx.body as object), token: MARKER };
    };
    const shortcut: Middleware = (ctx) => {
      ctx.body = row;
    };
    const get = await serve((router) => {
      router.get('/returned', { output: User }, () => row);
      router.get('/later', { output: Type.Array(User) }, async () => [row, row]);
      router.get('/set', { output: User, status: 201 }, (ctx) => {
        ctx.body = row;
      });
      router.get('/added', { output: User, use: [lie] }, () => row);
      router.group('/group', shortcut, (group) => group.get('/instead', { output: User }, () => row));
    }, setup);
    for (const path of ['/returned', '/added', '/group/instead']) expect((await get(path)).json).toEqual(sent);
    expect((await get('/later')).json).toEqual([sent, sent]);
    expect((await get('/set')).json).toEqual(sent);
  });

  test('leaves other statuses, streams, bytes, texts and nothing as they are', async () => {
    const get = await serve((router) => {
      const output = User;
      router.on('GET', '/status', { output }, (ctx) => {
        ctx.status = 202;
        return row;
      });
      router.on('GET', '/stream', { output }, () => Readable.from(['{"a":', '1}']));
      router.on('GET', '/bytes', { output }, () => Buffer.from('{"a":1}'));
      router.on('GET', '/text', { output }, () => '{"a":1}');
      router.on('GET', '/null', { output }, () => null);
      router.on('GET', '/number', { output }, () => 5);
      router.on('GET', '/error', { output }, (ctx) => ctx.throw(418));
    });
    expect(await get('/status')).toMatchObject({ status: 202, json: row });
    for (const path of ['/stream', '/bytes', '/text']) expect((await get(path)).text).toBe('{"a":1}');
    expect(await get('/null')).toMatchObject({ status: 200, text: 'null' });
    expect((await get('/number')).text).toBe('5');
    expect((await get('/error')).json).toMatchObject({ status: 418 });
  });

  test('is its own option, and not what doc says; middlewares of the application see what is left', async () => {
    const envelope: Middleware = async (ctx, next) => {
      await next();
      if (ctx.path === '/enveloped') ctx.body = { data: ctx.body };
    };
    const get = await serve(
      (router) => {
        router.get('/documented', docGET('/documented', { output: User }), () => row);
        router.get('/enveloped', { output: User }, () => row);
      },
      { middlewares: [envelope] },
    );
    expect((await get('/documented')).json).toEqual(row);
    expect((await get('/enveloped')).json).toEqual({ data: sent });
  });

  test('may be a class, a list of one, or an example', async () => {
    class Account {
      id = 0;
      owner = { name: '' };
    }
    class Visit {}
    const schema = { type: 'object', properties: { id: { type: 'integer' } } };
    const related = { ...schema, properties: { ...schema.properties, account: { properties: { id: {} } } } };
    const get = await serve(
      (router) => {
        const value = { id: 1, owner: { name: 'a', salt: MARKER }, account: { id: 2, salt: MARKER }, salt: MARKER };
        router.on('GET', '/class', { output: Account }, () => value);
        router.on('GET', '/list', { output: [Account] }, () => [value]);
        router.on('GET', '/model', { output: Visit }, () => value);
        router.on('GET', '/example', { output: { id: 1, account: { id: 1 } } }, () => value);
      },
      {
        catalogue: {
          models: () => [],
          schemaOf: (model) => (model === Visit ? schema : undefined),
          answerOf: (model) => (model === Visit ? related : undefined),
        },
      },
    );
    expect((await get('/class')).json).toEqual({ id: 1, owner: { name: 'a' } });
    expect((await get('/list')).json).toEqual([{ id: 1, owner: { name: 'a' } }]);
    for (const path of ['/model', '/example']) expect((await get(path)).json).toEqual({ id: 1, account: { id: 2 } });
  });

  test('is refused at boot when it cannot be read, and warned about when it names nothing', async () => {
    const lost = Type.Unsafe({ type: 'object', properties: { a: { $ref: '#/$defs/Lost' } } });
    await expect(serve((router) => router.on('GET', '/lost', { output: lost }, () => row))).rejects.toMatchObject({
      code: 'FW_HTTP_OUTPUT',
    });
    class Empty {
      declare id: number;
    }
    const get = await serve((router) => router.on('GET', '/empty', { output: Empty }, () => row));
    expect((await get('/empty')).json).toEqual(row);
    expect(app?.log.messages('warn')).toContainEqual(expect.stringMatching(/output of GET \/empty names no member/));
  });

  test('names what it leaves out once, while one develops, and never its value', async () => {
    const register = (router: Router) =>
      router.on('GET', '/users', { output: Type.Array(User) }, () => [{ ...row, orders: [] }, row]);
    for (const profile of ['dev', 'prod']) {
      const get = await serve(register, { profile });
      await get('/users');
      await get('/users');
      const lines = app?.log.lines.filter(({ fields }) => 'field' in fields) ?? [];
      expect(lines.map(({ fields }) => fields['field'])).toEqual(
        profile === 'dev' ? ['[].passwordHash', '[].orders'] : [],
      );
      expect(JSON.stringify(app?.log.lines)).not.toContain(MARKER);
      await app?.stop();
    }
  });

  test('a value that contains itself is refused as ever', async () => {
    const get = await serve((router) => {
      const node = Type.Cyclic({ Node: Type.Object({ next: Type.Ref('Node') }) }, 'Node');
      router.on('GET', '/circle', { output: node }, () => {
        const circle = { next: {} };
        circle.next = circle;
        return circle;
      });
    });
    expect((await get('/circle')).status).toBe(500);
  });

  test('lets no marker through any door, whatever the schema and the value', async () => {
    const cases = fc.sample(declaredValues, 150).filter(({ sent }) => typeof sent === 'object' && sent !== null);
    const get = await serve(
      (router) => {
        cases.forEach(({ schema, value }, at) => router.on('GET', `/case/${at}`, { output: schema }, () => value));
      },
      { profile: 'dev' },
    );
    for (const [at, { sent: expected }] of cases.entries()) {
      const { status, text, json } = await get(`/case/${at}`);
      expect([status, json]).toEqual([200, JSON.parse(JSON.stringify(expected))]);
      expect(text).not.toContain(MARKER);
    }
    for (const path of ['/openapi.json', '/llms.txt', '/llms-full.txt']) {
      const { text } = await get(path);
      expect(text).not.toMatch(new RegExp(`${MARKER}|"hidden"|hidden:`));
    }
    expect(JSON.stringify(app?.log.lines)).not.toContain(MARKER);
  });
});
