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
    expect(record).toMatchObject({ kind: 'internal', status: 0, start_ns: '0', attributes: { 'http.route': '/a' } });
  }
});
