import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type TSchema, Type } from 'typebox';
import { type FieldProblem, HttpServer, plugin, type Router, validatorOf } from '../../kernel/index.js';
import { bootTestApp, type BootedTestApp, routesUnderTest, sendRaw } from '../../kernel/testing/index.js';
import http from './index.js';
import { BracketTree, settled } from './text-input/bracket-tree.js';
import { bracketReaderOf } from './text-input/bracket-names.js';
import { textReaderOf } from './text-input/text-reader.js';

const Line = Type.Object({ sku: Type.String(), n: Type.Integer() });
const Everything = Type.Object({
  ids: Type.Optional(Type.Array(Type.Integer())),
  names: Type.Optional(Type.Array(Type.String())),
  page: Type.Optional(Type.Integer()),
  ratio: Type.Optional(Type.Number()),
  dry: Type.Optional(Type.Boolean()),
  filter: Type.Optional(Type.Object({ status: Type.String(), deep: Type.Optional(Type.Object({ flags: Type.Array(Type.Boolean()) })) })), // prettier-ignore
  lines: Type.Optional(Type.Array(Line)),
  scores: Type.Optional(Type.Record(Type.String(), Type.Number())),
  'as[is]': Type.Optional(Type.String()),
});

const FAST_PATHS = ['full', 'public', 'off'] as const;
const apps: BootedTestApp[] = [];
const urls = () => apps.map((app) => app.services.get(HttpServer).url);
const FORM = 'application/x-www-form-urlencoded';

const routes = (router: Router) => {
  router.get('/query', { input: { query: Everything } }, (ctx) => ctx.input.query);
  router.post('/body', { input: { body: Everything } }, (ctx) => ctx.input.body);
  router.get('/path/:id', { input: { params: Type.Object({ id: Type.Integer() }) } }, (ctx) => ctx.input.params);
  router.get('/header', { input: { header: Type.Object({ 'X-Id': Type.Integer() }) } }, (ctx) => ctx.input.header);
  const open = Type.Record(Type.String(), Type.Unknown());
  router.get('/names', { input: { query: open } }, (ctx) => ({ count: Object.keys(ctx.input.query).length }));
  router.post('/names', { input: { body: open } }, (ctx) => ({ count: Object.keys(ctx.input.body as object).length }));
  router.get('/koa', (ctx) => ({ count: Object.keys(ctx.query).length }));
};

beforeAll(async () => {
  for (const fastPath of FAST_PATHS) {
    apps.push(await bootTestApp({ plugins: [plugin(() => Promise.resolve(http), { port: 0, fastPath, fieldLimit: 3000 }), routesUnderTest(routes)] })); // prettier-ignore
  }
});

afterAll(async () => {
  for (const app of apps) await app.stop();
});

type Answer = [status: number, body: unknown];

/** The answer of every fast path, which must be one. */
async function ask(path: string, init?: RequestInit): Promise<Answer> {
  const answers: Answer[] = [];
  for (const url of urls()) {
    const response = await fetch(url + path, init);
    const body = (await response.json()) as { code?: string; errors?: { field: string; message: string }[] };
    answers.push([response.status, response.ok ? body : (body.errors?.map(({ field, message }) => `${field} ${message}`) ?? body.code)]); // prettier-ignore
  }
  expect(answers).toEqual(answers.map(() => answers[0]));
  return answers[0] as Answer;
}

const asForm = (body: string, type = FORM): RequestInit => ({
  method: 'POST',
  body,
  headers: { 'Content-Type': type },
});

/** What clients send for the same value; recorded from them. */
const VALUE = { ids: [1, 2], filter: { status: 'open', deep: { flags: [true, false] } }, lines: [{ sku: 'x', n: 1 }, { sku: 'y', n: 2 }] }; // prettier-ignore
const SPELLINGS: Readonly<Record<string, string>> = {
  'axios 1, params': 'ids[]=1&ids[]=2&filter[status]=open&filter[deep][flags][]=true&filter[deep][flags][]=false&lines[0][sku]=x&lines[0][n]=1&lines[1][sku]=y&lines[1][n]=2', // prettier-ignore
  'axios 1, indexes: null': 'ids=1&ids=2&filter[status]=open&filter[deep][flags]=true&filter[deep][flags]=false&lines[0][sku]=x&lines[0][n]=1&lines[1][sku]=y&lines[1][n]=2', // prettier-ignore
  'qs 6, indices': 'ids%5B0%5D=1&ids%5B1%5D=2&filter%5Bstatus%5D=open&filter%5Bdeep%5D%5Bflags%5D%5B0%5D=true&filter%5Bdeep%5D%5Bflags%5D%5B1%5D=false&lines%5B0%5D%5Bsku%5D=x&lines%5B0%5D%5Bn%5D=1&lines%5B1%5D%5Bsku%5D=y&lines%5B1%5D%5Bn%5D=2', // prettier-ignore
  'jquery-param': 'ids%5B%5D=1&ids%5B%5D=2&filter%5Bstatus%5D=open&filter%5Bdeep%5D%5Bflags%5D%5B%5D=true&filter%5Bdeep%5D%5Bflags%5D%5B%5D=false&lines%5B0%5D%5Bsku%5D=x&lines%5B0%5D%5Bn%5D=1&lines%5B1%5D%5Bsku%5D=y&lines%5B1%5D%5Bn%5D=2', // prettier-ignore
  'out of order': 'lines[1][n]=2&lines[0][n]=1&ids[7]=2&ids[3]=1&lines[1][sku]=y&lines[0][sku]=x&filter[deep][flags][9]=off&filter[deep][flags][1]=on&filter[status]=open', // prettier-ignore
};

describe('names with brackets', () => {
  test.each(Object.entries(SPELLINGS))('are read as %s writes them, in queries and forms', async (_client, text) => {
    expect(await ask(`/query?${text}`)).toEqual([200, VALUE]);
    expect(await ask('/body', asForm(text))).toEqual([200, VALUE]);
    const parts = new FormData();
    for (const [name, value] of new URLSearchParams(text)) parts.append(name, value);
    expect(await ask('/body', { method: 'POST', body: parts })).toEqual([200, VALUE]);
  });

  test.each<[string, Answer]>([
    ['ids[]=1', [200, { ids: [1] }]],
    ['ids=1&ids[]=2&ids[0]=3', [200, { ids: [1, 2, 3] }]],
    ['ids[]=', [422, ['ids.0 must be an integer']]],
    ['ids[x]=1', [422, ['ids.0 must be an integer']]],
    ['ids[0][0]=1', [422, ['ids.0 must be an integer']]],
    ['page[]=1', [422, ['page must be an integer']]],
    ['page[0]=1&page[1]=2', [422, ['page must be an integer']]],
    ['names[99999999999]=b&names[1]=a', [422, ['names.1 must be a string']]],
    ['filter[]=x', [422, ['filter must be an object']]],
    ['filter=x&filter[status]=y', [422, ['filter must be an object']]],
    ['filter[status][]=x', [422, ['filter.status must be a string']]],
    ['scores[1]=5&scores[0]=1.5', [200, { scores: { 0: 1.5, 1: 5 } }]],
    ['scores[__proto__]=1&scores[a]=2', [200, { scores: { a: 2 } }]],
    ['scores[constructor]=1&scores[a]=2', [200, { scores: { a: 2 } }]],
    ['as[is]=kept', [200, { 'as[is]': 'kept' }]],
    ['ids[=1', [422, ['ids[ is not written name[], name[0] or name[key]']]],
    ['ids[0=1', [422, ['ids[0 is not written name[], name[0] or name[key]']]],
    ['ids[0]x=1', [422, ['ids[0]x is not written name[], name[0] or name[key]']]],
    ['lines[][sku]=x', [422, ['lines[][sku] has [] before other brackets: number the elements, as in name[0][key]']]],
    [`filter${'[a]'.repeat(101)}=1`, [422, [`filter${'[a]'.repeat(101)} has more than 100 pairs of brackets`]]],
    ['undeclared[]=1&undeclared=2', [200, {}]],
  ])('%s', async (text, expected) => {
    expect(await ask(`/query?${text}`)).toEqual(expected);
    expect(await ask('/body', asForm(text))).toEqual(expected);
  });

  test('of any shape lose nothing: what was sent is in the input, or refused', () => {
    const value = fc.letrec<{ node: unknown; list: unknown[]; object: Record<string, unknown> }>((tie) => ({
      node: fc.oneof({ maxDepth: 3 }, fc.constantFrom('a', '1', ''), tie('list'), tie('object')),
      list: fc.array(tie('node'), { minLength: 1, maxLength: 3 }),
      object: fc.dictionary(fc.constantFrom('k', 'x y', '1a', 'é'), tie('node'), { minKeys: 1, maxKeys: 3 }),
    })).node;
    const names = (base: string, part: unknown): [string, string][] => {
      if (typeof part !== 'object' || part === null) return [[base, String(part)]];
      return Object.entries(part).flatMap(([key, member]) => names(`${base}[${key}]`, member));
    };
    const schema = Type.Object({ value: Type.Unknown() });
    const read = bracketReaderOf(schema, 'query', 100, false);
    fc.assert(
      fc.property(value, (sent) => {
        const problems: FieldProblem[] = [];
        const pairs = Object.fromEntries(names('value', sent));
        expect(settled(read(pairs, problems))).toEqual({ value: sent });
        expect(problems).toEqual([]);
      }),
    );
  });
});

/** Texts of numbers, with the value that JSON reads, or none. */
const NUMBERS: Readonly<Record<string, number | undefined>> = {
  '0': 0, '5': 5, '-5': -5, '1e3': 1000, '1E3': 1000, '1.0': 1, '100e-2': 1, '9007199254740991': 9007199254740991,
  '9007199254740992': undefined, '9007199254740993': undefined, '-9007199254740993': undefined, '1e400': undefined,
  '0x10': undefined, '0b1': undefined, '0o7': undefined, '': undefined, ' ': undefined, ' 1': undefined, '1 ': undefined,
  '\t1': undefined, '+1': undefined, '.5': undefined, '5.': undefined, '1.5': undefined, '01': undefined, '-01': undefined,
  '1_000': undefined, '1,000': undefined, '1e': undefined, Infinity: undefined, '-Infinity': undefined, NaN: undefined,
  null: undefined, true: undefined, '１': undefined, '٣': undefined, '1n': undefined, '1\0': undefined, '--1': undefined,
}; // prettier-ignore

describe('numbers as text', () => {
  test.each(Object.entries(NUMBERS))('%j is %p for an integer, in every source', async (text, value) => {
    const expected = (body: object) => (value === undefined ? expect.arrayContaining([422]) : [200, body]);
    const encoded = encodeURIComponent(text);
    expect(await ask(`/query?page=${encoded}`)).toEqual(expected({ page: value }));
    expect(await ask('/body', asForm(`page=${encoded}`))).toEqual(expected({ page: value }));
    if (!/^$|\0/.test(text)) expect(await ask(`/path/${encoded}`)).toEqual(expected({ id: value }));
    // Blanks around a value are none of it (RFC 9110, section 5.5).
    if (/^[\x21-\x7e]+$/.test(text)) expect(await ask('/header', { headers: { 'X-Id': text } })).toEqual(expected({ 'X-Id': value })); // prettier-ignore
  });

  test.each(['9007199254740993', '-9007199254740993', '9007199254740992', '1e300', '"5"', 'true', 'null', '5.5'])(
    '%s is no integer in JSON either',
    async (text) => {
      expect(await ask('/body', asForm(`{"page":${text}}`, 'application/json'))).toEqual([422, [expect.stringContaining('page must be')]]); // prettier-ignore
    },
  );

  test('any text means the same as in JSON', () => {
    const read = textReaderOf(Type.Object({ n: Type.Number() }));
    const near = fc.string({ unit: fc.constantFrom('0', '1', '9', '-', '+', '.', 'e', 'E', ' ', 'x', '_', 'n') });
    fc.assert(
      fc.property(fc.oneof(near, fc.double().map(String), fc.bigInt().map(String)), (text) => {
        const { n } = read?.({ n: text }) as { n: unknown };
        expect(n).toBe(/^\s|\s$/.test(text) ? text : parsed(text));
      }),
      { numRuns: 2000 },
    );
  });
});

function parsed(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'number' ? value : text;
  } catch {
    return text;
  }
}

describe('other text', () => {
  test.each<[string, TSchema, unknown, unknown]>([
    ['boolean', Type.Boolean(), 'ON', true],
    ['boolean', Type.Boolean(), '0', false],
    ['boolean', Type.Boolean(), ' on', ' on'],
    ['boolean', Type.Boolean(), '', ''],
    ['list of booleans', Type.Array(Type.Boolean()), ['yes', 'no'], [true, false]],
    ['one for a list', Type.Array(Type.Integer()), '1', [1]],
    ['null', Type.Union([Type.Integer(), Type.Null()]), '', null],
    ['integer or null', Type.Union([Type.Integer(), Type.Null()]), '5', 5],
    ['text or null', Type.Union([Type.String(), Type.Null()]), '', ''],
    ['list of nulls', Type.Array(Type.Union([Type.Integer(), Type.Null()])), ['1', ''], [1, null]],
    ['text first', Type.Union([Type.String(), Type.Integer()]), '5', '5'],
    ['integer first', Type.Union([Type.Integer(), Type.String()]), '5', 5],
    ['integer first, and not one', Type.Union([Type.Integer(), Type.String()]), '5x', '5x'],
    ['a text that is not this one', Type.Union([Type.String({ format: 'uuid' }), Type.Integer()]), '5', 5],
    ['a number out of range', Type.Union([Type.Integer({ maximum: 3 }), Type.String()]), '5', '5'],
    ['literals', Type.Union([Type.Literal('a'), Type.Literal(1), Type.Literal(true)]), '1', 1],
    ['literals', Type.Union([Type.Literal('a'), Type.Literal('1'), Type.Literal(1)]), '1', '1'],
    ['an enum', Type.Unsafe({ enum: ['a', 1, false, null] }), '1', 1],
    ['an enum', Type.Unsafe({ enum: ['a', 1, false, null] }), '', null],
    ['an enum', Type.Unsafe({ enum: ['a', 1, '1'] }), '1', '1'],
    ['types', Type.Unsafe({ type: ['integer', 'null'] }), '7', 7],
    ['one or many', Type.Union([Type.Integer(), Type.Array(Type.Integer())]), '7', 7],
    ['one or many', Type.Union([Type.Integer(), Type.Array(Type.Integer())]), ['7', '8'], [7, 8]],
    ['a tuple', Type.Tuple([Type.Integer(), Type.String()]), ['7', '8'], [7, '8']],
    ['a reference', Type.Cyclic({ Id: Type.Object({ v: Type.Integer(), in: Type.Optional(Type.Ref('Id')) }) }, 'Id'), { v: '1', in: { v: '2' } }, { v: 1, in: { v: 2 } }],
    ['an intersection', Type.Intersect([Type.Object({ a: Type.Integer() }), Type.Object({ b: Type.Boolean() })]), { a: '1', b: '1' }, { a: 1, b: true }],
    ['objects told apart', Type.Union([Type.Object({ kind: Type.Literal('n'), v: Type.Integer() }), Type.Object({ kind: Type.Literal('t'), v: Type.String() })]), { kind: 't', v: '5' }, { kind: 't', v: '5' }],
    ['a pattern', Type.Record(Type.String(), Type.Integer()), { a: '1' }, { a: 1 }],
  ])('%s: %#', (_name, schema, text, value) => {
    const wrapped = Type.Object({ it: schema });
    const given = { it: text };
    const read = textReaderOf(wrapped)?.(given) ?? given;
    expect(read).toEqual({ it: value });
    expect(given).toEqual({ it: text });
  }); // prettier-ignore

  test('that stays as it is needs no reader, and nothing is taken from what every object inherits', () => {
    const names = ['toString', 'valueOf', 'hasOwnProperty', 'constructor', 'isPrototypeOf'];
    const schema = Type.Object(Object.fromEntries(names.map((name) => [name, Type.Optional(Type.Boolean())])));
    const read = textReaderOf(schema)?.({}) as object;
    expect([Object.keys(read), validatorOf(schema).check(read)]).toEqual([[], []]);
  });
});

describe('how much is read', () => {
  const pairs = (count: number) => Array.from({ length: count }, (_, each) => `k${each}`).join('&');
  const parts = (count: number) => {
    const form = new FormData();
    for (let each = 0; each < count; each++) form.append(`k${each}`, '');
    return form;
  };

  test.each([999, 1000, 1001, 2999, 3000])('%d pairs arrive whole', async (count) => {
    expect(await ask(`/names?${pairs(count)}`)).toEqual([200, { count }]);
    expect(await ask(`/koa?${pairs(count)}`)).toEqual([200, { count }]);
    expect(await ask('/names', asForm(pairs(count)))).toEqual([200, { count }]);
    expect(await ask('/names', { method: 'POST', body: parts(count) })).toEqual([200, { count }]);
  });

  test('one more than fieldLimit is refused', async () => {
    expect(await ask(`/names?${pairs(3001)}`)).toEqual([414, 'FW_HTTP_QUERY_TOO_LONG']);
    expect(await ask(`/koa?${pairs(3001)}`)).toEqual([414, 'FW_HTTP_QUERY_TOO_LONG']);
    expect(await ask('/names', asForm(pairs(3001)))).toEqual([413, 'FW_HTTP_TOO_MANY_FIELDS']);
    expect(await ask('/names', { method: 'POST', body: parts(3001) })).toEqual([413, 'FW_HTTP_TOO_MANY_FIELDS']);
  });
});

test('a name may have more values than a call takes as arguments', () => {
  const tree = new BracketTree();
  tree.plant([''], Array.from({ length: 200_000 }, String));
  expect(tree.asList()).toHaveLength(200_000);
});

describe('headers of a schema that is put together', () => {
  const named = { type: 'object', properties: { 'X-Level': { type: 'integer' } } };
  const SCHEMAS = {
    properties: named,
    allOf: { allOf: [named] },
    anyOf: { anyOf: [named, { type: 'object', properties: { 'X-Other': {} } }] },
    oneOf: {
      oneOf: [
        { ...named, required: ['X-Level'] },
        { type: 'object', required: ['X-Other'] },
      ],
    },
    if: { if: { ...named, required: ['X-Level'] }, then: { properties: {} } },
    then: { if: { type: 'object' }, then: named },
    else: { if: { type: 'string' }, else: named },
    $ref: { $defs: { named }, $ref: '#/$defs/named' },
    nested: { allOf: [{ if: { type: 'object' }, then: { anyOf: [named] } }] },
  };

  test.each(Object.entries(SCHEMAS))('are read where %s names them', async (_, schema) => {
    const register = (router: Router) =>
      router.get('/in', { input: { header: Type.Unsafe({ type: 'object', ...schema }) } }, (ctx) => ctx.input.header);
    await using app = await bootTestApp({ plugins: [plugin(() => Promise.resolve(http), { port: 0 }), routesUnderTest(register)] }); // prettier-ignore
    const { url } = app.services.get(HttpServer);
    const answer = await fetch(`${url}/in`, { headers: { 'x-level': '5' } });
    expect([answer.status, await answer.json()]).toMatchObject([200, { 'X-Level': expect.anything() }]);
  });
});

describe('lists and objects where a name has one text only (OpenAPI 3.1, style simple)', () => {
  const Ids = Type.Array(Type.Integer());
  const header = Type.Object({ 'X-Ids': Ids, 'X-One': Type.Optional(Type.Union([Type.Literal('all'), Ids])) });

  test.each<[string, [name: string, value: string][], unknown]>([
    ['/of/1,2/in', [['x-ids', '1,2']], { ids: [1, 2], 'X-Ids': [1, 2] }],
    ['/of/1%2C2/in', [['x-ids', '1 , 2\t,,3']], { ids: [1, 2], 'X-Ids': [1, 2, 3] }],
    ['/of/7/in', [['x-ids', '1'], ['x-ids', '2, 3']], { ids: [7], 'X-Ids': [1, 2, 3] }],
    ['/of/7/in', [['x-ids', '']], { ids: [7], 'X-Ids': [] }],
    ['/of/7/in', [['x-ids', '1'], ['x-one', 'all']], { ids: [7], 'X-Ids': [1], 'X-One': 'all' }],
    ['/of/7/in', [['x-ids', '1'], ['x-one', '4,5']], { ids: [7], 'X-Ids': [1], 'X-One': [4, 5] }],
    ['/of/1,,2/in', [['x-ids', '1,x']], ['ids.1 must be an integer', 'X-Ids.1 must be an integer']],
  ])('%s with %j', async (path, headers, expected) => {
    const register = (router: Router) =>
      router.get('/of/:ids/in', { input: { params: Type.Object({ ids: Ids }), header } }, ({ input }) => ({
        ...input.params,
        ...input.header,
      }));
    await using app = await bootTestApp({ plugins: [plugin(() => Promise.resolve(http), { port: 0 }), routesUnderTest(register)] }); // prettier-ignore
    const { port } = app.services.get(HttpServer);
    const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`).join('');
    const raw = await sendRaw(port, `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${lines}\r\n`);
    const body = JSON.parse(raw.slice(raw.indexOf('\r\n\r\n'))) as { errors?: readonly FieldProblem[] };
    expect(body.errors?.map(({ field, message }) => `${field} ${message}`) ?? body).toEqual(expected);
  }); // prettier-ignore

  const Box = Type.Object({ w: Type.Integer(), name: Type.Optional(Type.String()) });
  const either = Type.Object({ 'X-Box': Type.Union([Type.Integer(), Type.Literal('a,b'), Box]) });

  test.each<[string, string, unknown]>([
    ['/box/w,1,name,n', '5', { w: 1, name: 'n', 'X-Box': 5 }],
    ['/box/w=1,name=n=2', 'w, 2', { w: 1, name: 'n=2', 'X-Box': { w: 2 } }],
    ['/box/w%2C1', 'name=x , w=3', { w: 1, 'X-Box': { w: 3, name: 'x' } }],
    ['/box/w,1,__proto__,5,constructor,5,more,5', 'a,b', { w: 1, 'X-Box': 'a,b' }],
    ['/box/w,1,name', '5', ['box must be an object']],
    ['/box/name,1', '5', ['box.w is required']],
    ['/box/w,x', '5', ['box.w must be an integer']],
  ])('objects: %s with %s', async (path, box, expected) => {
    const register = (router: Router) =>
      router.get('/box/:box', { input: { params: Type.Object({ box: Box }), header: either } }, ({ input }) => ({ ...input.params.box, ...input.header })); // prettier-ignore
    await using app = await bootTestApp({ plugins: [plugin(() => Promise.resolve(http), { port: 0 }), routesUnderTest(register)] }); // prettier-ignore
    const { url } = app.services.get(HttpServer);
    const body = (await (await fetch(url + path, { headers: { 'x-box': box } })).json()) as { errors?: readonly FieldProblem[] }; // prettier-ignore
    expect(body.errors?.map(({ field, message }) => `${field} ${message}`) ?? body).toEqual(expected);
  });
});

describe('names that every object has', () => {
  const NAMES = Object.getOwnPropertyNames(Object.prototype).filter((name) => name !== '__proto__');

  test.each(NAMES)('%s may be declared, sent and left out', async (name) => {
    const schema = Type.Object({ [name]: Type.Optional(Type.Integer()) }, { additionalProperties: false });
    const register = (router: Router) => {
      router.get('/in', { input: { query: schema } }, (ctx) => ctx.input.query);
      router.post('/in', { input: { body: schema } }, (ctx) => ctx.input.body);
      router.get('/headers', { input: { header: schema } }, (ctx) => ctx.input.header);
    };
    await using app = await bootTestApp({ plugins: [plugin(() => Promise.resolve(http), { port: 0 }), routesUnderTest(register)] }); // prettier-ignore
    const { url } = app.services.get(HttpServer);
    const json = (body: string) => fetch(`${url}/in`, asForm(body, 'application/json'));
    const answers = [
      await fetch(`${url}/in`), await fetch(`${url}/in?${name}=5`), await fetch(`${url}/in?${name}=x`),
      await json('{}'), await json(`{"${name}":5}`), await json(`{"${name}":"x"}`), await json(`{"${name}":{"prototype":1}}`),
      await fetch(`${url}/in`, asForm(`${name}=5`)), await fetch(`${url}/headers`), await fetch(`${url}/headers`, { headers: { [name]: '5' } }),
    ]; // prettier-ignore
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 422, 200, 200, 422, 422, 200, 200, 200]);
    const bodies = await Promise.all(answers.filter(({ ok }) => ok).map((answer) => answer.text()));
    const sent = `{"${name}":5}`;
    expect(bodies).toEqual(['{}', sent, '{}', sent, sent, '{}', sent]);
  });

  test('__proto__ cannot be declared', async () => {
    const schema = Type.Object({ ['__proto__']: Type.String() });
    const register = (router: Router) => router.post('/in', { input: { body: schema } }, () => null);
    await expect(bootTestApp({ plugins: [plugin(() => Promise.resolve(http), { port: 0 }), routesUnderTest(register)] })).rejects.toMatchObject({ code: 'FW_HTTP_INPUT_PROTOTYPE' }); // prettier-ignore
  });
});

describe('text under if, then and else', () => {
  const read = textReaderOf({
    type: 'object',
    properties: { kind: { type: 'string' } },
    if: { properties: { kind: { const: 'card' } }, required: ['kind'] },
    then: { properties: { cents: { type: 'integer' } } },
    else: { properties: { cents: { type: 'string' }, gift: { type: 'boolean' } } },
  } as TSchema);

  test('has the types of the branch that holds', () => {
    expect(read?.({ kind: 'card', cents: '5', gift: 'true' })).toEqual({ kind: 'card', cents: 5, gift: 'true' });
    expect(read?.({ kind: 'cash', cents: '5', gift: 'true' })).toEqual({ kind: 'cash', cents: '5', gift: true });
  });
});

test.each(['toString', 'constructor', 'valueOf'])(
  'a default of %s, which is never missing, is refused at boot',
  async (name) => {
    const query = Type.Object({ [name]: Type.Optional(Type.String({ default: 'x' })) });
    const register = (router: Router) => router.get('/x', { input: { query } }, () => ({}));
    await expect(bootTestApp({ plugins: [plugin(() => Promise.resolve(http), { port: 0 }), routesUnderTest(register)] })).rejects.toMatchObject({ code: 'FW_HTTP_INPUT_DEFAULT' }); // prettier-ignore
  },
);

test.each([
  ['a number', { query: 5 }],
  ['members without an object around them', { query: { page: Type.Integer() } }],
  ['members that are called like rules', { body: { title: Type.String(), format: Type.String() } }],
  ['a class', { body: class Order {} }],
  ['a list', { body: [Type.String()] }],
  ['a member that is a text', { query: Type.Object({ page: 'integer' as never }) }],
  ['a member that is nothing', { query: Type.Object({ page: undefined as never }) }],
  ['a member of members', { body: Type.Object({ a: { b: Type.String() } as never }) }],
  ['items that are a number', { body: Type.Array(5 as never) }],
  ['a type that does not exist', { body: { type: 'strin' } }],
])('%s in the place of a schema is refused at boot', async (_, input) => {
  const register = (router: Router) => router.post('/x', { input: input as never }, () => ({}));
  await expect(bootTestApp({ plugins: [plugin(() => Promise.resolve(http), { port: 0 }), routesUnderTest(register)] })).rejects.toMatchObject({ code: 'FW_HTTP_INPUT_SCHEMA' }); // prettier-ignore
});

test('a schema without a type is one all the same', async () => {
  const body = { not: { required: ['b'] }, properties: { a: {}, title: true, b: { minimum: 3, 'x-own': 1 } } };
  const register = (router: Router) => router.post('/x', { input: { body: body as never } }, () => ({}));
  const app = await bootTestApp({
    plugins: [plugin(() => Promise.resolve(http), { port: 0 }), routesUnderTest(register)],
  });
  await app.stop();
});
