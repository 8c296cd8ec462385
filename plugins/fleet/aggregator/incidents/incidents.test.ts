import { createHmac } from 'node:crypto';
import { afterEach, describe, expect, test } from '@jest/globals';
import { DiagnosticsRegistry, HttpServer, plugin } from '../../../../kernel/index.js';
import type { Incident, SpanRecord } from '../../../../kernel/contracts/fleet-wire.js';
import { type BootedTestApp, bootTestApp } from '../../../../kernel/testing/boot-test-app.js';
import { span } from '../../../../kernel/testing/fleet-spans.js';
import { servePlain } from '../../../../kernel/testing/http-app.js';
import { until } from '../../../../kernel/testing/until.js';
import http from '../../../http/index.js';
import aggregatorPlugin, {
  Aggregator,
  aggregatorDefaults,
  type AggregatorConfig,
  FleetAggregator,
  settingsOf,
} from '../index.js';

const START = Date.parse('2026-01-01T00:00:00Z');

function fleet() {
  const clock = { at: START, now: () => clock.at };
  const settings = settingsOf({ ...aggregatorDefaults(), contractValidation: false });
  const aggregator = new Aggregator(settings, {
    clock: clock as never,
    fetchDocument: () => Promise.reject(new Error('none')),
  });
  return { aggregator, clock };
}

let trace = 0;

type Part = Partial<SpanRecord> & { readonly service: string; readonly bad?: string };

/** One request that goes down a chain of services; `bad` is the error of a part. */
function request(...parts: readonly Part[]): SpanRecord[] {
  trace++;
  return parts.map(({ bad, ...part }, at) =>
    span({
      trace, id: trace * 100 + at, ...(at > 0 && { parent: trace * 100 + at - 1 }), start: at, duration_ms: 100 - 2 * at,
      ...part, ...(bad !== undefined && { error: bad, status: part.kind === undefined ? 500 : 0 }),
    }),
  ); // prettier-ignore
}

const times = (count: number, make: (at: number) => SpanRecord[]) =>
  Array.from({ length: count }, (_, at) => make(at)).flat();
const db = (service: string): Part => ({
  service, kind: 'query', method: 'SELECT', route: 'SELECT 1', bad: 'query failed: ECONNREFUSED',
  attributes: { 'db.system.name': 'postgresql', 'server.address': 'db', 'server.port': 5432 },
}); // prettier-ignore

const brief = ({ service, state, cause, consequences }: Incident) => [
  service, state, cause?.name, consequences.map((each) => each.service),
]; // prettier-ignore

describe('one cause is one incident', () => {
  test('whoever fails for it is folded below it, with route, status, evidence and a trace', () => {
    const { aggregator } = fleet();
    const bad = 'HTTP 500';
    aggregator.acceptSpans(times(20, () => request({ service: 'gateway', bad }, { service: 'auth', bad }, { service: 'orders', bad, route: '/orders/:id' }))); // prettier-ignore
    const incidents = aggregator.incidents();
    expect(incidents.map(brief)).toEqual([['orders', 'open', 'orders', ['auth', 'gateway']]]);
    expect(incidents[0]?.cause).toMatchObject({
      kind: 'service', method: 'GET', route: '/orders/:id', status: 500, error: bad, confidence: 'certain', share: 1,
      trace_id: expect.stringMatching(/^[0-9a-f]{32}$/), evidence: [expect.any(String), expect.any(String), expect.any(String)],
    }); // prettier-ignore
  });

  test('a database that two services share is one, seen by the one that fails more', () => {
    const { aggregator } = fleet();
    const bad = 'HTTP 500';
    aggregator.acceptSpans([
      ...times(30, () => request({ service: 'orders', bad }, db('orders'))),
      ...times(12, () => request({ service: 'stock', bad }, db('stock'))),
    ]);
    expect(aggregator.incidents().map(brief)).toEqual([['orders', 'open', 'db:5432', ['stock']]]);
    expect(aggregator.incidents()[0]?.cause).toMatchObject({
      kind: 'target',
      reason: expect.stringMatching(/unreachable/),
    });
  });

  test('two causes at once are two, though one service fails for both', () => {
    const { aggregator } = fleet();
    const bad = 'HTTP 500';
    aggregator.acceptSpans(
      times(20, (at) => request({ service: 'gateway', bad }, { service: at % 2 ? 'auth' : 'orders', bad })),
    );
    const found = aggregator.incidents().map(brief);
    expect(found.map(([service, , cause]) => [service, cause]).sort()).toEqual([['auth', 'auth'], ['orders', 'orders']]); // prettier-ignore
    expect(found.map(([, , , consequences]) => consequences)).toEqual([['gateway'], ['gateway']]);
  });

  test('a callee below the threshold of incidents is named all the same', () => {
    const { aggregator } = fleet();
    const bad = 'HTTP 500';
    // Many requests of others go well.
    aggregator.acceptSpans([
      ...times(15, () => request({ service: 'gateway', bad }, { service: 'orders', bad })),
      ...times(300, () => request({ service: 'orders' })),
    ]);
    expect(aggregator.incidents().map(brief)).toEqual([['gateway', 'open', 'orders', []]]);
  });

  const message: Part = { service: 'worker', kind: 'consumer', method: 'PROCESS', route: 'orders.created', status: 0 };
  const job: Part = { service: 'worker', kind: 'internal', method: 'RUN', route: 'tidy up', status: 0 };

  test.each([
    ['a consumer that only fails', message, 'worker'],
    ['a job that only fails', job, 'worker'],
  ])('%s is one, though its service answers requests well, and handles other messages', (_, work, name) => {
    const { aggregator } = fleet();
    aggregator.acceptSpans([
      ...times(500, () => request({ service: 'worker' })),
      ...times(500, () => request({ ...message, route: 'orders.paid' })),
      ...times(12, () => request({ ...work, bad: 'ValidationError' })),
    ]);
    expect(aggregator.incidents().map(brief)).toEqual([['worker', 'open', name, []]]);
    expect(aggregator.incidents()[0]).toMatchObject({
      fails: 'work', calls: 12, error_rate: 1, banner: '⚠ worker fails 100 % of its messages and jobs; no other service is affected',
      cause: { route: work.route, error: 'ValidationError', confidence: 'certain' },
    }); // prettier-ignore
  });

  test('a consumer that fails for somebody behind it is named below the cause, and the producer is not affected', () => {
    const { aggregator } = fleet();
    const bad = 'HTTP 500';
    aggregator.acceptSpans(
      times(20, () => request({ service: 'shop' }, { service: 'shop', kind: 'producer', method: 'SEND', route: 'orders.created', status: 0 }, { ...message, bad }, { service: 'mail', bad })),
    ); // prettier-ignore
    expect(aggregator.incidents().map(brief)).toEqual([['mail', 'open', 'mail', ['worker']]]);
    expect(aggregator.incidents()[0]).toMatchObject({
      fails: 'requests',
      consequences: [{ fails: 'work', calls: 20 }],
    });
    expect(aggregator.topology().nodes.find(({ service }) => service === 'worker')).toMatchObject({
      calls: 0,
      work: { calls: 20, errors: 20, error_rate: 1 },
    });
  });

  test('of what is sampled, one success stands for those that are not recorded', () => {
    const { aggregator } = fleet();
    aggregator.acceptSpans([
      ...times(10, () => request({ ...message, probability: 0.01 })),
      ...times(10, () => request({ ...message, bad: 'Error' })),
    ]);
    expect(aggregator.incidents()).toEqual([]);
  });

  test('a consumer that calls off some of what it asks does not fail', () => {
    const { aggregator } = fleet();
    aggregator.acceptSpans(
      times(20, () => request(message, { service: 'worker', kind: 'client', bad: 'AbortError', duration_ms: 5 })),
    );
    expect(aggregator.incidents()).toEqual([]);
  });

  test('what was said of it stays, and a rare cause does not end it at once', () => {
    const { aggregator, clock } = fleet();
    const bad = 'HTTP 500';
    aggregator.acceptSpans(times(20, () => request({ service: 'orders', bad })));
    const [{ id }] = aggregator.incidents() as [Incident];
    aggregator.incidentLog.note(id, { text: 'looking', unix: 1 });
    clock.at += 5_000;
    // Whole traces confirm its cause.
    expect(aggregator.incidents()).toHaveLength(1);
    aggregator.acceptSpans(times(60, () => request({ service: 'orders', bad }, db('orders'))));
    // By then they are whole.
    clock.at += 5_000;
    expect(aggregator.incidents().map(({ state, notes }) => [state, notes.length]).sort()).toEqual([['open', 0], ['open', 1]]); // prettier-ignore
    clock.at += 200_000;
    expect(aggregator.incidents().map(({ state }) => state)).toEqual(['resolved', 'resolved']);
  });

  test('spans that are still on their way do not make a cause of a caller', () => {
    const { aggregator, clock } = fleet();
    const bad = 'HTTP 500';
    const chain = () => request({ service: 'gateway', bad }, { service: 'gateway', kind: 'client', route: '/stock', bad }, { service: 'stock', bad }); // prettier-ignore
    for (let second = 0; second < 20; second++) {
      // The caller sends at once, and what it called a second later.
      const late = times(10, chain).filter(
        (each) => each.service === 'stock' || (aggregator.acceptSpans([each]), false),
      );
      const [first, ...others] = aggregator.incidents();
      expect([first?.state, others]).toEqual(['open', []]);
      clock.at += 1_000;
      aggregator.acceptSpans(late);
    }
    expect(aggregator.incidents().map(brief)).toEqual([['stock', 'open', 'stock', ['gateway']]]);
    expect(aggregator.incidents()[0]).toMatchObject({ id: 1, cause: { confidence: 'certain' } });
  });

  test('no more than a hundred are remembered, and open ones stay', () => {
    const { aggregator, clock } = fleet();
    for (let at = 0; at < 103; at++) {
      aggregator.acceptSpans(times(10, () => request({ service: `s${at}`, bad: 'HTTP 500' })));
      aggregator.incidents();
      clock.at += 130_000;
    }
    expect(aggregator.incidents()).toHaveLength(100);
  });
});

const apps: BootedTestApp[] = [];

afterEach(async () => {
  await Promise.all(apps.splice(0).map((app) => app.stop()));
});

async function boot(options: AggregatorConfig = {}) {
  const app = await bootTestApp({
    plugins: [
      plugin(() => Promise.resolve(http), { port: 0 }),
      plugin(() => Promise.resolve(aggregatorPlugin), options),
    ],
  });
  apps.push(app);
  const aggregator = app.services.get(FleetAggregator);
  const url = `${app.services.get(HttpServer).url}/fleet/api`;
  const fail = (service: string) => {
    const start_ns = `${Date.now()}000000`;
    aggregator.acceptSpans(times(10, () => request({ service, bad: 'HTTP 500', start_ns, tags: { card: '4111' } })));
    return aggregator.incidents().find((each) => each.service === service) as Incident;
  };
  return { app, aggregator, url, fail };
}

const login = { authorization: `Basic ${Buffer.from('ops:pass').toString('base64')}` };
const post = (url: string, body: unknown, headers: Record<string, string> = {}) =>
  fetch(url, {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json', ...headers },
  });

describe('what people do with an incident', () => {
  test('they acknowledge, silence and note it, as viewers', async () => {
    const { url, fail } = await boot({ username: 'ops', password: 'pass' });
    const { id } = fail('orders');
    const at = `${url}/incidents/${id}`;
    expect((await post(`${at}/acknowledge`, {})).status).toBe(401);
    const acknowledged = await post(`${at}/acknowledge`, { by: 'ada' }, login);
    expect(await acknowledged.json()).toMatchObject({
      id,
      acknowledged_by: 'ada',
      acknowledged_unix: expect.any(Number),
    });
    expect(await (await post(`${at}/silence`, { minutes: 30 }, login)).json()).toHaveProperty('silenced_until_unix');
    expect(await (await post(`${at}/silence`, { minutes: 0 }, login)).json()).not.toHaveProperty('silenced_until_unix');
    for (let n = 0; n < 55; n++) await post(`${at}/notes`, { text: `note ${n}`, by: 'ada' }, login);
    const [incident] = (await (await fetch(`${url}/incidents`, { headers: login })).json()) as [Incident];
    expect(incident.notes).toHaveLength(50);
    expect(incident.notes.at(-1)).toEqual({ text: 'note 54', by: 'ada', unix: expect.any(Number) });
  });

  test.each([
    ['acknowledge', [], {}, 400, /expected a JSON object/],
    ['acknowledge', { by: 7 }, {}, 400, /by, a text of 1 to 64/],
    ['silence', { minutes: -1 }, {}, 400, /minutes, a number from 0 to 10080/],
    ['silence', {}, {}, 400, /minutes/],
    ['notes', { text: ' ' }, {}, 400, /text, a text of 1 to 1000/],
    ['notes', { text: 'x'.repeat(20_000) }, {}, 413, /too large/],
    ['notes', { text: 'x' }, { 'content-type': 'text/plain' }, 403, /application\/json/],
    ['notes', { text: 'x' }, { origin: 'http://evil.example' }, 403, /./],
    ['notes', { text: 'x' }, { 'sec-fetch-site': 'cross-site' }, 403, /./],
    ['delete', {}, {}, 404, /no such endpoint/],
  ])('%s with %j and %j is refused', async (action, body, headers, status, error) => {
    const { url, fail } = await boot({ username: 'ops', password: 'pass' });
    const { id } = fail('orders');
    const answer = await post(`${url}/incidents/${id}/${action}`, body, { ...login, ...(headers as object) });
    expect([answer.status, await answer.json()]).toEqual([status, { error: expect.stringMatching(error) }]);
  });

  test('one that nobody knows is 404', async () => {
    const { url } = await boot();
    expect((await post(`${url}/incidents/77/acknowledge`, {})).status).toBe(404);
  });
});

/** A receiver of webhooks that answers what it is told to, then 204. */
async function hook(...answers: readonly (number | (() => readonly [number, Readonly<Record<string, string>>]))[]) {
  const got: { readonly headers: Record<string, string>; readonly body: string }[] = [];
  const left = [...answers];
  const server = await servePlain({
    callback: () => (req, res) => {
      let body = '';
      req.on('data', (chunk: Buffer) => (body += String(chunk)));
      req.on('end', () => {
        got.push({ headers: req.headers as Record<string, string>, body });
        const next = left.shift() ?? 204;
        const [status, headers] = typeof next === 'number' ? [next] : next();
        res.writeHead(status, { location: 'http://127.0.0.1:1/', ...headers }).end();
      });
    },
  });
  return { ...server, got };
}

describe('the webhook', () => {
  const secret = `whsec_${Buffer.from('a key of some length').toString('base64')}`;

  test('tells that an incident begins and ends, signed, with a closed list of members', async () => {
    await using to = await hook();
    const { fail } = await boot({ webhookURL: `${to.url}/in?key=hidden`, webhookSecret: secret });
    fail('orders');
    await until(() => to.got.length === 1, 'a message');
    const [{ headers, body }] = to.got as [{ headers: Record<string, string>; body: string }];
    const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`;
    const expected = createHmac('sha256', 'a key of some length').update(signed).digest('base64');
    expect(headers['webhook-signature']).toBe(`v1,${expected}`);
    expect(JSON.parse(body)).toEqual({
      type: 'incident.opened', timestamp: expect.any(String),
      data: {
        id: 1, state: 'open', service: 'orders', fails: 'requests', error_rate: 1, calls: 10, opened_unix: expect.any(Number), resolved_unix: null,
        acknowledged_unix: null, summary: expect.any(String), affected: [], consequences: [],
        cause: {
          name: 'orders', kind: 'service', service: 'orders', method: 'GET', route: '/', status: 500, error: 'HTTP 500',
          reason: expect.any(String), confidence: 'certain', trace_id: expect.any(String),
        },
      },
    }); // prettier-ignore
  });

  test('is tried again after a failure, and its numbers do not show its path', async () => {
    await using to = await hook(503);
    const { app, fail } = await boot({ webhookURL: `${to.url}/in?key=hidden`, webhookSecret: secret });
    fail('orders');
    await until(() => to.got.length === 2, 'a second try');
    const [first, second] = to.got;
    // Whoever gets it twice knows by its id.
    expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id']);
    const detail = () => app.services.get(DiagnosticsRegistry).get('fleet-aggregator')?.detail as { webhook: object };
    await until(() => (detail().webhook as { delivered: number }).delivered === 1, 'the delivery');
    expect(detail().webhook).toEqual({ origin: to.url, waiting: 0, delivered: 1, failed_tries: 1, dropped: 0, last_failure: 'it answered 503' }); // prettier-ignore
  });

  test.each([
    ['seconds', () => '2'],
    ['a date', () => new Date(Date.now() + 3000).toUTCString()],
  ])('leaves the receiver alone for as long as it asks: %s', async (_form, retryAfter) => {
    // A date counts from the answer, however long it took to come to that.
    await using to = await hook(() => [503, { 'retry-after': retryAfter() }]);
    const { aggregator, fail } = await boot({ webhookURL: to.url, webhookSecret: secret });
    fail('orders');
    await until(() => aggregator.stats().webhook.delivered === 1, 'the delivery');
    const [first, second] = to.got.map(({ headers }) => Number(headers['webhook-timestamp']));
    expect(Number(second) - Number(first)).toBeGreaterThanOrEqual(2);
  });

  test.each([404, 302])('is given up at once on %i, and goes on with the next', async (status) => {
    await using to = await hook(status);
    const { aggregator, fail } = await boot({ webhookURL: to.url, webhookSecret: secret });
    fail('orders');
    await until(() => aggregator.stats().webhook.dropped === 1, 'the loss');
    fail('stock');
    await until(() => aggregator.stats().webhook.delivered === 1, 'the next one');
    expect(to.got).toHaveLength(2);
  });

  test('that failed does not hold up those of other incidents, only the end of its own', async () => {
    const told = () => to.got.map(({ body }) => JSON.parse(body) as { type: string; data: Incident });
    // Nothing about orders is taken before something about stock was.
    const answer = () => [told().some(({ data }) => data.service === 'stock') ? 204 : 503, {}] as const;
    await using to = await hook(...Array.from({ length: 10 }, () => answer));
    const { aggregator, fail } = await boot({ webhookURL: to.url, webhookSecret: secret });
    fail('orders');
    await until(() => aggregator.stats().webhook.failed_tries === 1, 'the failure');
    fail('stock');
    aggregator.incidentLog.update([], Date.now());
    await until(() => aggregator.stats().webhook.delivered === 4, 'the messages');
    const of = (service: string) =>
      told()
        .filter(({ data }) => data.service === service)
        .map(({ type }) => type);
    expect(of('stock')).toEqual(['incident.opened', 'incident.resolved']);
    expect(of('orders').slice(-2)).toEqual(['incident.opened', 'incident.resolved']);
  });

  test('does not tell of what is silenced', async () => {
    await using to = await hook();
    const { aggregator, fail } = await boot({ webhookURL: to.url, webhookSecret: secret });
    const { id } = fail('orders');
    await until(() => aggregator.stats().webhook.delivered === 1, 'the first message');
    aggregator.incidentLog.silence(id, 10, Date.now());
    aggregator.incidentLog.update([], Date.now());
    fail('orders');
    expect(aggregator.stats().webhook).toMatchObject({ delivered: 1, waiting: 0 });
  });

  test.each([
    [{ webhookURL: 'ftp://x', webhookSecret: secret }, /scheme is ftp/],
    [{ webhookURL: 'http://u:p@x', webhookSecret: secret }, /user name or a password/],
    [{ webhookURL: 'http://x' }, /shorter than 16 characters/],
    [{ webhookURL: 'http://x', webhookSecret: 'whsec_c2hvcnQgYXMgYSBrZXk=' }, /its key is shorter than 16 bytes/],
    [{ webhookURL: 'http://x', webhookSecret: 'whsec_not base64, but long' }, /no base64/],
  ])('is not configured by %j', async (options, reason) => {
    await expect(boot(options)).rejects.toThrow(reason);
  });
});
