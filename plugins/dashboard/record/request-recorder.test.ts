import { beforeEach, expect, test } from '@jest/globals';
import type { HttpContext, RouteInfo } from '../../../kernel/index.js';
import { RecordingLogger } from '../../../kernel/testing/recording-logger.js';
import type { RequestDetail } from '../wire/api.js';
import { recordOf, RequestRecorder } from './request-recorder.js';
import { HandClock } from './testing/hand-clock.js';
import { Timelines } from './timelines.js';

let clock: HandClock;
let log: RecordingLogger;
let recorder: RequestRecorder;
beforeEach(() => {
  clock = new HandClock();
  log = new RecordingLogger();
  const options = { basePath: '/dashboard', maxRequests: 3, slowMs: 500, root: '/app' };
  recorder = new RequestRecorder(options, clock, new Timelines(clock), log);
});

interface Given {
  readonly path?: string;
  readonly status?: number;
  readonly ms?: number;
  readonly route?: RouteInfo;
  readonly headers?: Readonly<Record<string, string>>;
  readonly answered?: Readonly<Record<string, string>>;
  readonly throws?: Error;
}

async function request({ path = '/things', status = 200, ms = 1, route, headers = {}, answered = {}, throws }: Given = {}) {
  const context = {
    method: 'GET',
    path,
    status,
    route,
    clientIp: '127.0.0.1',
    length: 7,
    get: (name: string) => headers[name] ?? '',
    res: { getHeader: (name: string) => answered[name] },
  };
  await recorder.middleware()(context as unknown as HttpContext, async () => {
    clock.at += ms;
    if (throws) throw throws;
  });
} // prettier-ignore

const shown = () => recorder.records.newest(100);

test('counts every request, and records those that failed or were slow', async () => {
  await request();
  await request({ status: 404 });
  await request({ ms: 500 });
  expect(recorder.traffic.totals()).toMatchObject({ requests: 3, client_errors: 1, errors: 0 });
  expect(shown().map(({ status, duration_ms: ms }) => [status, ms])).toEqual([
    [200, 500],
    [404, 1],
  ]);
});

test('records all while somebody looks, and for a minute after the records were read', async () => {
  recorder.watch();
  await request();
  clock.at += 60_000;
  await request();
  recorder.hasViewers = () => true;
  await request();
  expect(shown().map(({ id }) => id)).toEqual(['3', '1']);
});

test('keeps the newest, and counts what had to go', async () => {
  for (let nth = 1; nth <= 5; nth++) await request({ status: 500, path: `/things/${nth}` });
  expect(shown().map(({ path }) => path)).toEqual(['/things/5', '/things/4', '/things/3']);
  expect(recorder.records.dropped).toBe(2);
});

test('leaves the requests of the dashboard itself out, and no others', async () => {
  for (const path of ['/dashboard', '/dashboard/api/routes', '/dashboards', '/']) await request({ path, status: 500 });
  expect(shown().map(({ path }) => path)).toEqual(['/', '/dashboards']);
});

test('keeps names of headers with a credential and never their value, and of others only what helps', async () => {
  const headers = {
    authorization: 'Bearer hunter2',
    cookie: 'session=hunter2',
    'x-api-key': 'hunter2',
    'x-session': 'hunter2',
    referer: 'http://here/?token=hunter2',
    accept: 'text/html',
    'user-agent': 'x'.repeat(500),
  };
  const answered = { 'set-cookie': 'session=hunter2', location: '/login?token=hunter2#hunter2', etag: '"1"' };
  await request({ status: 302, ms: 500, headers, answered });
  const [record] = shown();
  expect(record?.request_headers).toEqual({
    accept: 'text/html',
    'user-agent': 'x'.repeat(300),
    authorization: '***',
    cookie: '***',
    'x-api-key': '***',
  });
  expect(record?.response_headers).toEqual({ location: '/login', etag: '"1"' });
  expect(JSON.stringify(record)).not.toContain('hunter2');
});

test('passes an error on, with its status; its words and places stand in the detail alone, without secrets', async () => {
  const error = new Error('no such user: ada, password=hunter2');
  error.stack = 'Error\n    at find (/app/app/users.ts:8:3)\n    at run (/app/node_modules/x/y.js:1:1)';
  await expect(request({ throws: error })).rejects.toBe(error);
  const [detail] = shown();
  expect(detail).toMatchObject({
    ...{ status: 500, error: 'HTTP 500' },
    cause: { name: 'Error', at: 'app/users.ts:8', frames: ['find app/users.ts:8'] },
  });
  expect(JSON.stringify(detail)).not.toContain('hunter2');
  expect(JSON.stringify(recordOf(detail as RequestDetail))).not.toContain('ada');
});

test('keeps a request that asks to be found again, although it went well and nobody looks', async () => {
  const marker = 'a'.repeat(32);
  await request({ headers: { 'fw-simulation': marker } });
  await request({ headers: { 'fw-simulation': 'not a marker' } });
  expect(shown()).toMatchObject([{ status: 200, marker }]);
});

test('keeps numbers of each route', async () => {
  const route = { path: '/things/:id' } as RouteInfo;
  await request({ route, ms: 10 });
  await request({ route, ms: 30, status: 503 });
  expect(recorder.trafficOf(route)).toMatchObject({ requests: 2, errors: 1, totalMs: 40, maxMs: 30 });
  expect(recorder.trackedRoutes).toBe(1);
});

test('never lets its own failure reach a request', async () => {
  recorder.onRecord = () => {
    throw new Error('the list is gone');
  };
  await request({ status: 500 });
  expect(log.messages('warn')).toEqual(['the dashboard could not record a request']);
});
