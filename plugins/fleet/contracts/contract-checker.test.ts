import { afterEach, describe, expect, test } from '@jest/globals';
import { until } from '../../../kernel/testing/until.js';
import { ContractChecker, type CheckedSpan } from './index.js';
import type { IsBelow } from './violation-origins.js';

const document = {
  openapi: '3.1.0',
  paths: {
    '/internal/orders/{id}': {
      post: {
        requestBody: { $ref: '#/components/requestBodies/Order' },
        responses: {
          200: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Order' } } } },
          '4XX': { content: { 'application/problem+json': { schema: { type: 'object', required: ['title'] } } } },
        },
      },
    },
    '/plain': {
      post: { responses: { default: { content: { 'application/json': { schema: { type: 'object', required: ['title'] } } } } } },
    }, // prettier-ignore
  },
  components: {
    requestBodies: {
      Order: {
        content: {
          'application/json': {
            schema: { type: 'object', properties: { email: { type: 'string', format: 'email' } } },
          },
        },
      },
    },
    schemas: {
      Order: {
        type: 'object',
        required: ['id', 'state'],
        additionalProperties: false,
        properties: {
          id: { type: 'integer' },
          state: { enum: ['new', 'paid'] },
          note: { type: ['string', 'null'] },
          parent: { $ref: '#/components/schemas/Order' },
          customer: { allOf: [{ $ref: '#/components/schemas/Named' }, { properties: { vip: { type: 'boolean' } } }] },
          payment: { oneOf: [{ $ref: '#/components/schemas/Card' }, { $ref: '#/components/schemas/Invoice' }] },
        },
      },
      Named: {
        type: 'object',
        required: ['name'],
        properties: { name: { type: 'string' }, password: { type: 'integer' } },
      },
      Card: { type: 'object', required: ['card'], properties: { card: { type: 'string' } } },
      Invoice: { type: 'object', required: ['due'], properties: { due: { type: 'string', format: 'date' } } },
    },
  },
};

const call: CheckedSpan = {
  traceId: 'a'.repeat(32), spanId: 'b'.repeat(16), caller: 'auth', callee: 'orders', method: 'POST',
  route: '/internal/orders/:id', status: 200, at: 0,
}; // prettier-ignore

function checker(fetched: unknown = document, maxViolations = 1000, isBelow: IsBelow = () => false) {
  const clock = { at: 1_000, monotonic: 1_000 };
  const made = new ContractChecker({
    maxViolations,
    violationDedupeWindow: 60_000,
    contractDeadline: 10_000,
    isBelow,
    clock: { now: () => clock.at, monotonic: () => clock.monotonic },
    fetchDocument: async () => {
      if (fetched instanceof Error) throw fetched;
      return Buffer.from(JSON.stringify(fetched));
    },
  });
  open.push(made);
  return { checker: made, clock };
}

const open: ContractChecker[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((each) => each.close()));
});

/** Advertises the document, and waits until it is read. */
async function advertised(subject: ContractChecker) {
  subject.advertise('orders', 'h1', 'http://orders/openapi.json');
  await until(() => subject.stats().schemas + subject.stats().fetch_failures > 0, 'the document');
}

const checkedAll = (subject: ContractChecker) =>
  until(() => subject.stats().queued + subject.stats().parked === 0, 'the checks');

async function violationsOf(response: unknown, over: Partial<CheckedSpan> = {}) {
  const { checker: subject } = checker();
  await advertised(subject);
  subject.submit({ ...call, response: JSON.stringify(response), ...over });
  await checkedAll(subject);
  return subject.violations
    .list()
    .map(({ path, rule, expected, observed, severity }) => ({ path, rule, expected, observed, severity }));
}

const order = { id: 1, state: 'new' };

describe('contract checks [FLEET-CONTRACT-02, FLEET-AGG-OVERVIEW-04]', () => {
  test('a body that fits has no violation', async () => {
    const body = { ...order, note: null, parent: order, customer: { name: 'x', vip: true }, payment: { card: '1' } };
    expect(await violationsOf(body)).toEqual([]);
  });

  test.each([
    [
      'missing member',
      { id: 1 },
      { path: '/state', rule: 'required', expected: 'present', observed: 'missing', severity: 'error' },
    ],
    [
      'wrong type',
      { ...order, id: 'x' },
      { path: '/id', rule: 'type', expected: 'integer', observed: 'string', severity: 'error' },
    ],
    [
      'value outside an enum',
      { id: 1, state: 'lost' },
      { path: '/state', rule: 'enum', expected: 'one of ["new","paid"]', observed: 'string', severity: 'error' },
    ],
    [
      'forbidden member',
      { ...order, debug_note: 1 },
      {
        path: '/debug_note',
        rule: 'additionalProperties',
        expected: 'declared property',
        observed: 'unknown field',
        severity: 'error',
      },
    ],
    [
      'member that allOf does not name',
      { ...order, customer: { name: 'x', age: 3 } },
      {
        path: '/customer/age',
        rule: 'additionalProperties',
        expected: 'declared property',
        observed: 'unknown field',
        severity: 'warning',
      },
    ],
    [
      'wrong type behind two references',
      { ...order, parent: { id: 'x', state: 'new' } },
      { path: '/parent/id', rule: 'type', expected: 'integer', observed: 'string', severity: 'error' },
    ],
    [
      'value that fits no alternative, within the one it is most like',
      { ...order, payment: { due: 'tomorrow' } },
      { path: '/payment/due', rule: 'format', expected: 'format "date"', observed: 'string', severity: 'error' },
    ],
    [
      'value that is like none of the alternatives',
      { ...order, payment: { other: 1 } },
      {
        path: '/payment',
        rule: 'oneOf',
        expected: 'exactly one of the alternatives',
        observed: 'object',
        severity: 'error',
      },
    ],
    [
      'value that fits more than one alternative',
      { ...order, payment: { card: '1', due: '2026-01-01' } },
      {
        path: '/payment',
        rule: 'oneOf',
        expected: 'exactly one of the alternatives',
        observed: 'object',
        severity: 'error',
      },
    ],
    ['null body', null, { path: '', rule: 'type', expected: 'object', observed: 'null', severity: 'error' }],
  ])('reports a %s with pointer and types', async (_, body, violation) => {
    expect(await violationsOf(body)).toEqual([violation]);
  });

  test('reports formats of request bodies, found through references', async () => {
    expect(await violationsOf(order, { request: '{"email":"none"}' })).toEqual([
      { path: '/email', rule: 'format', expected: 'format "email"', observed: 'string', severity: 'error' },
    ]);
  });

  test('takes the schema of the status class, and checks nothing where there is none', async () => {
    expect(await violationsOf({}, { status: 404 })).toMatchObject([{ path: '/title', rule: 'required' }]);
    expect(await violationsOf({}, { status: 500 })).toEqual([]);
    expect(await violationsOf({}, { route: '/elsewhere', caller: '' })).toEqual([]);
  });

  test('never blames a value that was scrubbed, and never stores a value', async () => {
    const body = { id: 'VALUE', state: 'new', customer: { name: 'x', password: '••••••' } };
    const violations = await violationsOf(body);
    expect(violations).toHaveLength(1);
    expect(JSON.stringify(violations)).not.toContain('VALUE');
  });

  test('a span that came before the schema is checked once it is there [FLEET-CONTRACT-01]', async () => {
    const { checker: subject } = checker();
    subject.submit({ ...call, response: '{}' });
    expect(subject.stats()).toMatchObject({ parked: 1, checked: 0 });
    await advertised(subject);
    await checkedAll(subject);
    expect(subject.stats()).toMatchObject({ parked: 0, checked: 1, violations: 2 });
  });

  test('a schema that never comes: spans wait a minute, bounded, and are counted as unchecked', async () => {
    const { checker: subject, clock } = checker(new TypeError('down'));
    for (let n = 0; n < 300; n++) subject.submit({ ...call, response: '{}', at: clock.at });
    await advertised(subject);
    expect(subject.stats()).toMatchObject({ parked: 256, unchecked: 44, fetch_failures: 1 });
    clock.at += 60_001;
    subject.sweep();
    expect(subject.stats()).toMatchObject({ parked: 0, unchecked: 300 });
  });

  test('a document is fetched again after seconds, also when the clock was set back by hours', async () => {
    const { checker: subject, clock } = checker(new TypeError('down'));
    await advertised(subject);
    clock.at -= 7_200_000;
    subject.advertise('orders', 'h1', 'http://orders/openapi.json');
    clock.monotonic += 5_000;
    subject.sweep();
    subject.advertise('orders', 'h1', 'http://orders/openapi.json');
    await until(() => subject.stats().fetch_failures > 1, 'the second fetch');
    expect(subject.stats().fetch_failures).toBe(2);
  });

  test('a schema that cannot be compiled is counted and harms nothing', async () => {
    const broken = structuredClone(document) as unknown as { components: { schemas: Record<string, unknown> } };
    broken.components.schemas['Order'] = { type: 'object', properties: { id: { $ref: '#/nowhere' } } };
    const { checker: subject } = checker(broken);
    await advertised(subject);
    subject.submit({ ...call, response: '{}' });
    await checkedAll(subject);
    expect(subject.stats()).toMatchObject({
      schema_failures: 1,
      violations: 0,
      not_checked: [
        {
          service: 'orders',
          method: 'POST',
          route: '/internal/orders/:id',
          direction: 'response',
          reason: expect.stringMatching(/nowhere/),
        },
      ],
    });
  });

  test('equal violations within the window are one group; the ring keeps the newest [FLEET-AGG-MAX-VIOLATIONS]', async () => {
    const { checker: subject, clock } = checker(document, 2);
    await advertised(subject);
    const check = async (response: unknown) => {
      subject.submit({ ...call, response: JSON.stringify(response) });
      await checkedAll(subject);
    };
    await check({ id: 1 });
    await check({ id: 1 });
    expect(subject.violations.list()).toMatchObject([{ count: 2, path: '/state' }]);
    clock.at += 60_001;
    await check({ id: 1 });
    await check({ state: 'new' });
    expect(subject.violations.list()).toMatchObject([
      { count: 1, path: '/state' },
      { count: 1, path: '/id' },
    ]);
    expect(subject.stats()).toMatchObject({ violations: 2, violations_dropped: 1, violations_total: 4 });
  });

  const told = (subject: ContractChecker) =>
    subject.violations
      .list()
      .map(({ direction, rule, expected, observed, severity }) =>
        [direction, rule, expected, observed, severity].join(),
      );

  test.each<[string, Partial<CheckedSpan>, readonly string[]]>([
    ['a route', { route: '/elsewhere' }, ['request,route,a route of the document,a route that it does not have,warning']],
    ['a route that nobody traced calls', { route: '/elsewhere', caller: '' }, []],
    ['a method', { method: 'DELETE' }, ['request,method,POST,DELETE,warning']],
    ['a preflight', { method: 'OPTIONS' }, []],
    ['a status', { status: 302 }, ['response,status,200 or 4XX,302,warning']],
    ['a status of a class', { status: 418 }, []],
    ['a failure, which is told as one', { status: 500 }, []],
    ['an answer from a cache', { status: 304 }, []],
    ['content where there is none, though it has a default answer', { status: 204, response: '{}', route: '/plain' }, ['response,content,no content with 204,content,error']],
    ['content where there is none', { status: 204, response: '{}' }, ['response,content,no content with 204,content,error', 'response,status,200 or 4XX,204,warning']],
    ['a media type', { response: '{"id":1,"state":"new"}', responseType: 'application/hal+json' }, ['response,mediaType,application/json,application/hal+json,warning']],
    ['a media type that it has', { response: '{"id":1,"state":"new"}', responseType: 'application/json' }, []],
    ['a page, where it promises JSON', { responseType: 'text/html' }, ['response,mediaType,application/json,text/html,warning']],
    ['a page with a status, where it promises another kind of JSON', { status: 404, responseType: 'text/html' }, ['response,mediaType,application/problem+json,text/html,warning']],
    ['a page with a status of which it says nothing', { status: 500, responseType: 'text/html' }, []],
    ['a page at a route that it does not have', { route: '/elsewhere', caller: '', responseType: 'text/html' }, []],
    ['a text, where it wants JSON', { requestType: 'text/plain' }, ['request,mediaType,application/json,text/plain,warning']],
    ['a form, whose fields are not recorded', { requestType: 'multipart/form-data' }, []],
    ['a form, which is no JSON', { request: '{"email":"none"}', requestType: 'application/x-www-form-urlencoded' }, []],
  ])('notices that the document does not have %s', async (_, over, expected) => {
    const { checker: subject } = checker();
    await advertised(subject);
    subject.submit({ ...call, ...over });
    await checkedAll(subject);
    expect(told(subject)).toEqual(expected);
  }); // prettier-ignore

  test.each([
    ['before it is checked', async () => undefined],
    ['after it was', checkedAll],
  ])('names the caller whose span comes later, %s', async (_, meanwhile) => {
    const { checker: subject } = checker();
    await advertised(subject);
    const late = { ...call, caller: '', awaitsCaller: true };
    subject.submit({ ...late, request: '{"email":"none"}', response: '{"id":"x","state":"new"}' });
    subject.submit({ ...late, spanId: 'c'.repeat(16), route: '/elsewhere' });
    await meanwhile(subject);
    for (const at of ['b', 'c', 'b', 'd']) subject.called(call.traceId, at.repeat(16), at === 'd' ? 'nobody' : 'auth');
    await checkedAll(subject);
    const found = subject.violations.list().map(({ caller, rule, origin, count }) => [caller, rule, origin, count].join());
    expect(found.sort()).toEqual(['auth,format,auth,1', 'auth,route,auth,1', 'auth,type,orders,1']);
    expect(subject.stats().violations_total).toBe(3);
  }); // prettier-ignore

  // web -> orders -> prices: spans 1, 2 and 3, each below the one before it.
  const chain: IsBelow = (_, span, above) => span > above;
  const hop = (at: number, caller: string, callee: string): CheckedSpan => ({
    ...call,
    spanId: String(at),
    caller,
    callee,
  });
  const hops = [hop(1, '', 'web'), hop(2, 'web', 'orders'), hop(3, 'orders', 'prices')];

  test.each([[[0, 1, 2]], [[2, 1, 0]], [[1, 2, 0]], [[1, 0, 2]], [[2, 0, 1]]])(
    'names the service that a wrong value comes from when others pass it on, heard in the order %j',
    async (order) => {
      const { checker: subject } = checker(document, 1000, chain);
      for (const name of ['web', 'orders', 'prices']) subject.advertise(name, 'h1', name);
      await until(() => subject.stats().schemas === 3, 'the documents');
      const body = (path: number) => JSON.stringify(path === 0 ? { id: 1, state: 'new', parent: { id: 'x', state: 'new' } } : { id: 'x', state: 'new' });
      for (const at of order) {
        subject.submit({ ...(hops[at] as CheckedSpan), request: '{"email":"none"}', response: body(at) });
        await checkedAll(subject);
      }
      const origins = subject.violations.list().map(({ callee, direction, path, origin }) => `${callee} ${direction} ${path} ${origin}`);
      expect(origins.sort()).toEqual([
        'orders request /email ', 'orders response /id prices', 'prices request /email ', 'prices response /id prices', 'web request /email ',
        'web response /parent/id prices',
      ]);
    },
  ); // prettier-ignore

  test.each([['orders', 'prices'], ['web', 'web']])(
    'says of a status that the service between has too, or has not, that it comes from elsewhere: %s',
    async (between, expected) => {
      const arrived = new Set<string>();
      const { checker: subject } = checker(document, 1000, (_, span, above) => span > above && arrived.has('orders'));
      for (const name of ['web', 'orders', 'prices']) subject.advertise(name, 'h1', name);
      await until(() => subject.stats().schemas === 3, 'the documents');
      for (const at of [2, 0, 1]) {
        const each = hops[at] as CheckedSpan;
        arrived.add(each.callee);
        subject.submit({ ...each, status: each.callee === 'orders' && between !== 'orders' ? 200 : 302 });
        await checkedAll(subject);
      }
      const found = subject.violations.list().filter(({ callee, rule }) => callee === 'web' && rule === 'status');
      expect(found.map(({ origin }) => origin)).toEqual([expected]);
    },
  ); // prettier-ignore

  test('takes two services that are wrong by themselves for two origins', async () => {
    const { checker: subject } = checker(document, 1000, () => false);
    for (const name of ['orders', 'prices']) subject.advertise(name, 'h1', name);
    await until(() => subject.stats().schemas === 2, 'the documents');
    for (const each of hops.slice(1)) subject.submit({ ...each, response: '{"id":"x","state":"new"}' });
    await checkedAll(subject);
    expect(subject.violations.list().map(({ origin }) => origin).sort()).toEqual(['orders', 'prices']);
  }); // prettier-ignore
});
