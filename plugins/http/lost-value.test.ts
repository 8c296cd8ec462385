import { Type } from 'typebox';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { HttpServer, plugin, type Router } from '../../kernel/index.js';
import { bootTestApp, type BootedTestApp } from '../../kernel/testing/index.js';
import { routesUnderTest } from '../../kernel/testing/http-app.js';
import http, { eventStream } from './index.js';
import { lostValue } from './lost-value.js';

class Secret {
  readonly #of = 1;
  reads(): number {
    return this.#of;
  }
}

class Row {
  id = 1;
  tags: unknown = new Set(['a']);
}

function* numbers() {
  yield* [1, 2];
}

const Tags = Type.Array(Type.String());
const Choice = Type.Union([
  Type.Object({ list: Tags }),
  Type.Object({ list: Type.Record(Type.String(), Type.Integer()) }),
]);

const register = (router: Router) => {
  const untyped = router as unknown as { get(path: string, ...more: unknown[]): void };
  untyped.get('/set', () => new Set([1]));
  untyped.get('/deep', () => ({ rows: [{ id: 1 }, { id: 2, seen: new Map([['a', 1]]) }] }));
  untyped.get('/promise', () => ({ total: Promise.resolve(1) }));
  untyped.get('/private', () => ({ of: new Secret() }));
  untyped.get('/error', () => ({ ok: false, error: new RangeError('hush') }));
  untyped.get('/row', () => new Row());
  untyped.get('/unknown', { output: Type.Object({ any: Type.Unknown() }) }, () => ({ any: new Set([1]) }));
  untyped.get('/no-list', { output: Type.Object({ any: Type.Object({}) }) }, () => ({ any: new Set([1]) }));
  untyped.get('/set-by-ctx', (ctx: { body: unknown }) => void (ctx.body = { any: new Map() }));
  untyped.get('/items', () => (function* () { yield { id: 1 }; yield { id: new Set([2]) }; })()); // prettier-ignore
  untyped.get('/events', (ctx: never) => eventStream(ctx, (async function* () { yield { data: { id: new Set([1]) } }; })())); // prettier-ignore
  untyped.get('/empty', () => ({
    plain: {},
    bare: Object.create(null) as object,
    date: new Date(0),
    boxed: new Number(3),
  }));
  untyped.get('/declared', { output: Type.Object({ tags: Tags, by: Type.Record(Type.String(), Type.Integer()) }) }, () => ({
    tags: new Set(['a', 'b']),
    by: new Map([['__proto__', 1], ['b', 2]]),
  })); // prettier-ignore
  untyped.get(
    '/declared-items',
    { output: Type.Array(Type.Object({ id: Type.Integer() })) },
    () => new Set([{ id: 1, hush: 2 }]),
  );
  untyped.get('/declared-generator', { output: Type.Object({ of: Type.Array(Type.Integer()) }) }, () => ({
    of: numbers(),
  }));
  const Pairs = Type.Array(Type.Tuple([Type.String(), Type.Integer()]));
  untyped.get('/declared-pairs', { output: Type.Object({ of: Pairs }) }, () => ({ of: new Map([['a', 1]]) }));
  untyped.get('/declared-maybe', { output: Type.Object({ tags: Type.Union([Tags, Type.Null()]) }) }, () => ({
    tags: new Set(['a']),
  }));
  untyped.get('/choice-set', { output: Choice }, () => ({ list: new Set(['a']) }));
  untyped.get('/choice-map', { output: Choice }, () => ({ list: new Map([['a', 1]]) }));
};

const WAYS = ['full', 'off'] as const;
const PROFILES = ['dev', 'prod'] as const;
const apps = new Map<string, BootedTestApp>();

beforeAll(async () => {
  for (const fastPath of WAYS)
    for (const profile of PROFILES) {
      const plugins = [plugin(() => Promise.resolve(http), { port: 0, fastPath }), routesUnderTest(register)];
      apps.set(`${fastPath} ${profile}`, await bootTestApp({ plugins, profile }));
    }
});

afterAll(async () => {
  for (const app of apps.values()) await app.stop();
});

async function got(way: string, path: string) {
  const answer = await fetch(`${(apps.get(way) as BootedTestApp).services.get(HttpServer).url}${path}`);
  return { status: answer.status, text: await answer.text() };
}

describe.each(WAYS)('with the fast path %s', (way) => {
  test.each([
    ['/set', /: it is a Set, of which JSON has nothing but \{\}/],
    ['/deep', /: rows\[1\]\.seen is a Map/],
    ['/promise', /: total is a Promise/],
    ['/private', /: of is a Secret/],
    ['/error', /: error is a Error/],
    ['/row', /: tags is a Set/],
    ['/unknown', /: any is a Set/],
    ['/no-list', /: any is a Set/],
    ['/set-by-ctx', /: any is a Map/],
  ])('what would be lost is an error that says where (%s)', async (path, message) => {
    const app = apps.get(`${way} dev`) as BootedTestApp;
    const before = app.log.lines.length;
    expect((await got(`${way} dev`, path)).status).toBe(500);
    const logged = app.log.lines.slice(before).flatMap(({ fields }) => (fields['err'] as Error | undefined) ?? []);
    expect(logged).toMatchObject([{ code: 'FW_HTTP_BODY_UNWRITABLE', message: expect.stringMatching(message) }]);
    expect(logged[0]?.message).not.toContain('hush');
    expect((await got(`${way} prod`, path)).status).toBe(200);
  });

  test.each(['/items', '/events'])('in a stream it cuts the connection (%s)', async (path) => {
    await expect(got(`${way} dev`, path)).rejects.toMatchObject({
      message: expect.stringMatching(/terminated|fetch failed/),
    });
    expect((await got(`${way} prod`, path)).text).toContain('{}');
  });

  test.each([
    ['/empty', { plain: {}, bare: {}, date: '1970-01-01T00:00:00.000Z', boxed: 3 }],
    ['/declared', { tags: ['a', 'b'], by: JSON.parse('{"__proto__":1,"b":2}') as object }],
    ['/declared-items', [{ id: 1 }]],
    ['/declared-generator', { of: [1, 2] }],
    ['/declared-pairs', { of: [['a', 1]] }],
    ['/declared-maybe', { tags: ['a'] }],
    ['/choice-set', { list: ['a'] }],
    ['/choice-map', { list: { a: 1 } }],
  ])('what is declared is written as such (%s)', async (path, body) => {
    for (const profile of PROFILES) {
      const { status, text } = await got(`${way} ${profile}`, path);
      expect([status, JSON.parse(text)]).toEqual([200, body]);
    }
  });
});

test('only a text with {} in it is looked at', () => {
  const value = { get of(): never { throw new Error('looked at'); } }; // prettier-ignore
  expect(lostValue(value, '{"of":1}')).toBeUndefined();
  expect(() => lostValue(value, '{"of":{}}')).toThrow('looked at');
});
