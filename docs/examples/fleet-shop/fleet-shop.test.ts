import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { FleetTracer } from 'fw/fleet/tracer';
import { type RunningFleet, startFleet } from './running-fleet.js';

let running: RunningFleet;
let urls: RunningFleet['urls'];

beforeAll(async () => {
  running = await startFleet();
  ({ urls } = running);
});
afterAll(() => running?.stop());

/** Reads the aggregator's API until a condition holds; spans arrive some hundred milliseconds later. */
async function fleet<Answer>(path: string, isThere: (answer: Answer) => boolean): Promise<Answer> {
  const authorization = `Basic ${Buffer.from('admin:admin').toString('base64')}`;
  for (;;) {
    const response = await fetch(`${urls.fleet}/api/${path}`, { headers: { authorization } });
    const answer = (await response.json()) as Answer;
    if (isThere(answer)) return answer;
  }
}

interface Node {
  readonly service: string;
  readonly span_id: string;
  readonly kind?: string;
  readonly tags?: Record<string, string>;
  readonly root_cause?: boolean;
  readonly derived_error?: boolean;
  readonly children?: readonly Node[];
}
interface Trace {
  readonly trace_id: string;
  readonly span_count: number;
  readonly roots: readonly Node[];
  readonly summary?: string;
  readonly root_cause_span_id?: string;
}

/** Requests of three services, and the two calls between them. */
const SPANS = 5;

async function traceOf(orderId: string): Promise<Trace> {
  const [found] = await fleet<readonly Trace[]>(
    `traces?tag=order_id:${orderId}`,
    ([first]) => first?.span_count === SPANS,
  );
  return fleet<Trace>(`traces/${found?.trace_id}`, (trace) => trace.span_count === SPANS);
}

/** What the services answered, from the gateway down; each call stands between the two. */
function chain(trace: Trace): readonly Node[] {
  const nodes: Node[] = [];
  for (let node = trace.roots[0]; node; node = node.children?.[0]) nodes.push(node);
  return nodes.filter(({ kind }) => kind !== 'client');
}

describe('the fleet shop', () => {
  test('one request is one trace over three services, with its tags on each of them', async () => {
    expect((await fetch(`${urls.gateway}/api/orders/123`)).status).toBe(200);
    const nodes = chain(await traceOf('123'));
    expect(nodes.map(({ service }) => service)).toEqual(['gateway', 'auth-service', 'orders-service']);
    expect(nodes[2]?.tags).toEqual({ order_id: '123', auth_subject: 'demo-user', payment_provider: 'stripe' });
  });

  test('the member that nobody promised is a contract violation of orders, seen from auth', async () => {
    await fetch(`${urls.gateway}/api/orders/124`);
    const violations = await fleet<readonly unknown[]>('violations', ({ length }) => length > 0);
    expect(violations[0]).toMatchObject({
      caller: 'auth-service',
      callee: 'orders-service',
      method: 'POST',
      route: '/internal/orders/:id',
      direction: 'response',
      path: '/debug_note',
      rule: 'additionalProperties',
      severity: 'error',
    });
    expect(JSON.stringify(violations)).not.toContain('Friday');
  });

  test('when orders fails, it is the cause; auth and the gateway are marked as its consequence', async () => {
    expect(await (await fetch(`${urls.orders}/chaos/fail`, { method: 'POST' })).json()).toEqual({ failing: true });
    expect((await fetch(`${urls.gateway}/api/orders/125`)).status).toBe(500);
    const trace = await traceOf('125');
    const nodes = chain(trace);
    expect(nodes.map(({ root_cause, derived_error }) => [root_cause, derived_error])).toEqual([
      [undefined, true],
      [undefined, true],
      [true, undefined],
    ]);
    expect(trace.root_cause_span_id).toBe(nodes[2]?.span_id);
    expect(trace.summary).toMatch(
      /^orders-service failed at POST \/internal\/orders\/:id \(status 500, HTTP 500\) after [\d.]+ ms\. 2 services affected by it: auth-service, gateway\.$/,
    );
  });

  test('after some more failures the incident names orders and whom it drags along', async () => {
    for (let n = 0; n < 12; n++) await fetch(`${urls.gateway}/api/orders/${200 + n}`);
    const incidents = await fleet<readonly { service: string; affected: { service: string; hops: number }[] }[]>(
      'incidents',
      (all) => all.some(({ service, affected }) => service === 'orders-service' && affected.length === 2),
    );
    const incident = incidents.find(({ service }) => service === 'orders-service');
    expect(incident?.affected.map(({ service, hops }) => [service, hops])).toEqual([
      ['auth-service', 1],
      ['gateway', 2],
    ]);
  });

  test('recovers', async () => {
    expect(await (await fetch(`${urls.orders}/chaos/recover`, { method: 'POST' })).json()).toEqual({ failing: false });
    expect((await fetch(`${urls.gateway}/api/orders/126`)).status).toBe(200);
    expect(await traceOf('126')).not.toHaveProperty('root_cause_span_id');
  });

  test('the log lines of a trace come from the services themselves', async () => {
    const trace = await traceOf('125');
    const path = `traces/${trace.trace_id}/logs`;
    const logs = await fleet<{ logs: object[]; sources: { service: string; available: boolean }[] }>(
      path,
      ({ sources }) => sources.every(({ available }) => available),
    );
    expect(logs.sources.map(({ service }) => service)).toEqual(['auth-service', 'gateway', 'orders-service']);
    expect(logs.logs).toMatchObject([
      // In the order in which they were written.
      { service: 'orders-service', level: 'error', message: 'payment provider timeout', trace_id: trace.trace_id },
      { service: 'gateway', message: 'the order could not be read', trace_id: trace.trace_id },
    ]);
    expect(running.apps.orders.services.get(FleetTracer).counters().spansDropped).toBe(0);
  });
});
