import { describe, expect, test } from '@jest/globals';
import { spanRecords } from './span-record.js';

const KINDS = { internal: 1, server: 2, client: 3 };

interface Failure {
  readonly kind?: keyof typeof KINDS;
  readonly type?: string;
  readonly message?: string;
  readonly exception?: readonly [type: string, message: string];
  readonly status?: number;
}

const text = (key: string, value: string) => ({ key, value: { stringValue: value } });

/** What is kept of why a span failed. */
function errorOf({ kind = 'client', type, message, exception, status }: Failure): unknown {
  const span = {
    traceId: '4bf92f3577b34da6a3ce929d0e0e4736', spanId: '00f067aa0ba902b7', name: 'GET', kind: KINDS[kind],
    status: { code: 2, ...(message !== undefined && { message }) },
    attributes: [
      ...(type === undefined ? [] : [text('error.type', type)]),
      ...(status === undefined ? [] : [{ key: 'http.response.status_code', value: { intValue: status } }]),
    ],
    events: exception && [
      { name: 'exception', attributes: [text('exception.type', exception[0]), text('exception.message', exception[1])] },
    ],
  }; // prettier-ignore
  return spanRecords({ resourceSpans: [{ scopeSpans: [{ spans: [span] }] }] })[0]?.['error'];
}

// What OpenTelemetry's Go, .NET, Python and JavaScript instrumentations write for calls without an answer.
describe('why a call got no answer', () => {
  test.each([
    [{ exception: ['*url.Error', 'Get "http://a/b": context deadline exceeded'] }, 'context.DeadlineExceeded'],
    [{ exception: ['*url.Error', 'Get "http://a/b": context canceled'] }, 'context.Canceled'],
    [
      { exception: ['*url.Error', 'Get "http://a/b": dial tcp 10.0.0.7:80: connect: connection refused'] },
      'ECONNREFUSED',
    ],
    [{ exception: ['*url.Error', 'Get "http://a/b": dial tcp: lookup a: no such host'] }, 'ENOTFOUND'],
    [{ exception: ['*url.Error', 'Get "http://a/b": EOF'] }, 'ECONNRESET'],
    [{ message: 'read tcp 10.0.0.1:1->10.0.0.7:80: i/o timeout' }, 'context.DeadlineExceeded'],
    [
      {
        type: 'System.Threading.Tasks.TaskCanceledException',
        message: 'The request was canceled due to the configured HttpClient.Timeout of 100 seconds elapsing.',
      },
      'context.DeadlineExceeded',
    ],
    [
      { type: 'System.Threading.Tasks.TaskCanceledException', message: 'A task was canceled.' },
      'System.Threading.Tasks.TaskCanceledException',
    ],
    [{ exception: ['requests.exceptions.ConnectionError', '[Errno 111] Connection refused'] }, 'ECONNREFUSED'],
    [{ type: 'AxiosError', message: 'timeout of 200ms exceeded' }, 'TimeoutError'],
    [{ type: 'TimeoutError', message: "Timeout awaiting 'connect' for 50ms" }, 'TimeoutError'],
    [{ exception: ['FetchError', 'network timeout at: http://a/b'] }, 'TimeoutError'],
    [{ type: '23' }, 'TimeoutError'],
    [{ type: '20' }, 'AbortError'],
    [{ exception: ['Error', 'connect ECONNREFUSED 127.0.0.1:9'] }, 'ECONNREFUSED'],
  ] as [Failure, string][])('%j is %s', (failure, expected) => {
    expect(errorOf(failure)).toBe(expected);
  });

  test.each([
    ['TypeError', 'fetch failed', 'NetworkError'],
    ['TypeError', 'terminated', 'NetworkError'],
    ['TypeError', 'Failed to fetch', 'NetworkError'],
    ['TypeError', 'Cannot read properties of undefined', 'TypeError'],
    ['RangeError', 'terminated', 'RangeError'],
  ])('of a request that threw %s (%s) is %s', (type, message, expected) => {
    expect(errorOf({ kind: 'server', status: 500, exception: [type, message] })).toBe(expected);
  });

  test('is no reason for what a service answers, but for that it was cut off', () => {
    const failure = {
      kind: 'server',
      status: 500,
      exception: ['*errors.errorString', 'payment: connection refused'],
    } as const;
    expect(errorOf(failure)).toBe('*errors.errorString');
    expect(errorOf({ kind: 'server', status: 499, message: 'context canceled' })).toBe('context.Canceled');
    expect(errorOf({ kind: 'internal', message: 'connection refused', type: 'Error' })).toBe('Error');
  });

  test('never is a text that somebody sent', () => {
    expect(errorOf({ message: 'no room for Ada at 5 Hush Street', type: 'Error' })).toBe('Error');
  });
});

test('what is neither a text nor a number where one belongs is passed over', () => {
  const deep: unknown = JSON.parse('['.repeat(100_000) + ']'.repeat(100_000));
  for (const odd of [deep, { toString: 1, valueOf: 1 }, true, null]) {
    const attributes = [{ key: 'http.response.status_code', value: { intValue: odd } }, text('http.route', '/a')];
    const span = { name: 'GET', kind: odd, startTimeUnixNano: odd, status: odd, attributes, links: odd, events: odd };
    const [record] = spanRecords({ resourceSpans: [{ resource: odd, scopeSpans: [{ spans: [span] }] }] });
    expect(record).toMatchObject({ kind: 'internal', status: 0, duration_ms: 0, attributes: { 'http.route': '/a' } });
    // The aggregator takes the time of arrival.
    expect(record).not.toHaveProperty('start_ns');
  }
});

/** The record of one span. */
const recordOf = (span: object) => spanRecords({ resourceSpans: [{ scopeSpans: [{ spans: [span] }] }] })[0];

test('a root whose SDK writes the id that is no id has no parent', () => {
  expect(recordOf({ parentSpanId: '0000000000000000' })).toMatchObject({ parent_span_id: undefined });
  expect(recordOf({ parentSpanId: '' })).toMatchObject({ parent_span_id: undefined });
  expect(recordOf({ parentSpanId: '00F067AA0BA902B7' })).toMatchObject({ parent_span_id: '00f067aa0ba902b7' });
});

describe('the time of a span', () => {
  test('is read from a number too, which holds it to a quarter of a microsecond', () => {
    const record = recordOf({ startTimeUnixNano: 1_750_000_000_123_456_789, endTimeUnixNano: 1_750_000_000_125_456_789 }); // prettier-ignore
    expect(Number(record?.['start_ns'])).toBe(1_750_000_000_123_456_789);
    expect(record?.['duration_ms']).toBeCloseTo(2, 3);
  });

  test.each([
    ['1750000000000000000', '1750000001000000000', '1750000000000000000', 1_000],
    ['0', '1750000001000000000', '1750000001000000000', 0],
    ['1750000001000000000', '0', '1750000001000000000', 0],
    ['1750000001000000000', '1750000000000000000', '1750000001000000000', 0],
    [1e300, -1, undefined, 0],
    [1.5, Number.NaN, undefined, 0],
  ])('from %p to %p', (startTimeUnixNano, endTimeUnixNano, start, duration) => {
    const record = recordOf({ startTimeUnixNano, endTimeUnixNano });
    expect([record?.['start_ns'], record?.['duration_ms']]).toEqual([start, duration]);
  });
});

// go-redis, the Java agent with its sanitizer off, and JavaScript's instrumentation of DynamoDB write arguments into the statement.
test.each([
  ['redis', 'SET session:ada hush', 'set'],
  ['memcached', 'set hush', 'set'],
  ['mongodb', '{"find":"users","filter":{"name":"hush"}}', 'find users'],
  ['aws.dynamodb', '{"Key":{"id":{"S":"hush"}}}', 'DynamoDB.GetItem'],
  ['elasticsearch', '{"query":{"match":{"name":"hush"}}}', 'search'],
])('a statement of %s is no SQL, and not recorded', (system, statement, name) => {
  for (const [nameOfSystem, nameOfText] of [
    ['db.system', 'db.statement'],
    ['db.system.name', 'db.query.text'],
  ] as const) {
    const attributes = [text(nameOfSystem, system), text(nameOfText, statement)];
    const record = recordOf({ kind: 3, name, attributes });
    expect(record).toMatchObject({ kind: 'query', route: name });
    expect(JSON.stringify(record)).not.toContain('hush');
  }
});

test.each([
  ['http://stock:81/items/4711?q=hush', 'stock', 81],
  ['https://ada:hush@stock.example/items', 'stock.example', 443],
  ['http://[::1]/items', '[::1]', 80],
])('the address of a call that tells its URL alone (%s) is in it', (url, address, port) => {
  for (const name of ['url.full', 'http.url']) {
    const record = recordOf({ kind: 3, name: 'GET', attributes: [text('http.method', 'GET'), text(name, url)] });
    expect(record?.['attributes']).toMatchObject({ 'server.address': address, 'server.port': port });
    expect(JSON.stringify(record)).not.toContain('hush');
  }
});

test('a request without a route pattern says that it has a path in the place of it', () => {
  const attributes = [text('http.request.method', 'GET'), text('url.path', '/orders/4711')];
  expect(recordOf({ kind: 2, attributes })).toMatchObject({ route: '/orders/*', attributes: { 'url.path': '/orders/*' } }); // prettier-ignore
  const routed = recordOf({ kind: 2, attributes: [...attributes, text('http.route', '/orders/{id}')] });
  expect(routed).toMatchObject({ route: '/orders/{id}' });
  expect(routed?.['attributes']).not.toHaveProperty('url.path');
});

test('what the conventions have names for comes before what the application has', () => {
  const own = Array.from({ length: 40 }, (_, at) => text(`app.item${at}`, 'x'));
  const attributes = [...own, text('server.address', 'stock'), text('error.type', 'ECONNREFUSED')];
  const names = Object.keys(recordOf({ kind: 3, attributes })?.['attributes'] ?? {});
  expect(names.slice(0, 2)).toEqual(['server.address', 'error.type']);
  expect(names).toHaveLength(42);
});
