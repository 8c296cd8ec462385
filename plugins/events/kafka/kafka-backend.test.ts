import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, describe, expect, test } from '@jest/globals';
import { eventBackendContract } from '../../../kernel/testing/contracts/event-backend.contract.js';
import { FaultProxy, kafkaProtocol, type Fault, type Protocol } from '../../../kernel/testing/fault-proxy.js';
import { span, traceId } from '../../../kernel/testing/fleet-spans.js';
import { describeWith } from '../../../kernel/testing/required-service.js';
import { Aggregator, aggregatorDefaults, settingsOf } from '../../fleet/aggregator/index.js';
import { EventIntake } from '../../fleet/aggregator/event-intake.js';
import { EventsTransport } from '../../fleet/transports/index.js';
import { KafkaBackend, type KafkaBackendOptions } from './index.js';
import { until } from '../../../kernel/testing/until.js';

describe('options of the Kafka backend', () => {
  const refused = (options: object) => () => new KafkaBackend(options as KafkaBackendOptions);

  test('brokers is an array of strings, each host:port [EVENT-BROKER-02]', () => {
    expect(refused({ brokers: ['a:1', '[::1]:2'], groupId: 'a' })).not.toThrow();
    for (const brokers of [[], undefined, 'a:1', ['a'], [1], ['kafka://a:1'], ['a:1', '']]) {
      expect(refused({ brokers, groupId: 'a' })).toThrow(/needs brokers: expected a list of host:port/);
    }
  });

  test('groupId is a string that a group can be called [EVENT-BROKER-03]', () => {
    for (const groupId of [undefined, '', 7, 'a b']) {
      expect(refused({ brokers: ['a:1'], groupId })).toThrow(/needs groupId: expected letters, digits/);
    }
  });
});

// The broker of these tests is the mock of librdkafka (kcat): the real protocol, one process, nothing on disk. It waits some
// three seconds before it lets the first reader into a group.
const TIMEOUT_MS = 240_000;
const PATIENCE_MS = 25_000;

describeWith({ variable: 'FW_TEST_KAFKA', hint: 'a Kafka broker, or the mock broker of kcat' }, 'Kafka', (broker) => {
  const backends: KafkaBackend[] = [];
  const warnings: string[] = [];
  const log = { warn: (_: unknown, message: string) => void warnings.push(message), error: () => undefined };

  const make = (groupId = randomBytes(6).toString('hex')) => {
    const backend = new KafkaBackend({ brokers: [broker], groupId, log: log as never });
    backends.push(backend);
    return backend;
  };

  afterEach(async () => {
    await Promise.all(backends.splice(0).map((backend) => backend.close()));
  }, TIMEOUT_MS);

  eventBackendContract('Kafka', () => make(), { timeoutMs: TIMEOUT_MS });

  const aggregator = () =>
    new Aggregator(settingsOf(aggregatorDefaults()), {
      clock: { now: Date.now, monotonic: () => performance.now() },
      fetchDocument: () => Promise.reject(new TypeError('no network')),
    });

  test(
    'an aggregator that ends and comes back goes on at its committed offset',
    async () => {
      const group = `g${randomBytes(6).toString('hex')}`;
      const base = Math.floor(Math.random() * 1e12);
      const batchOf = (...ids: number[]) => ({
      count: ids.length,
      text: () => '',
      byTrace: () => ids.map((id) => ({ traceId: traceId(base + id), text: JSON.stringify([span({ trace: base + id, id })]) })),
    }); // prettier-ignore
      const sender = new EventsTransport({ aggregatorURL: 'http://127.0.0.1', backend: make(), serviceName: 'orders' });
      const signal = new AbortController().signal;
      await sender.exportSpans(batchOf(1, 2, 3), signal);
      const [first, firstBackend] = [aggregator(), make(group)];
      await new EventIntake(first, firstBackend, { takesUnsigned: true }).open();
      await until(() => [1, 2, 3].every((id) => first.trace(traceId(base + id)) !== undefined), 'span', TIMEOUT_MS);
      await firstBackend.close();
      await sender.exportSpans(batchOf(4, 5), signal);
      const second = aggregator();
      await new EventIntake(second, make(group), { takesUnsigned: true }).open();
      await until(() => [4, 5].every((id) => second.trace(traceId(base + id)) !== undefined), 'span', TIMEOUT_MS);
      expect(second.trace(traceId(base + 1))).toBeUndefined();
    },
    TIMEOUT_MS,
  );

  test(
    'a second reader of the same group is noticed and warned about',
    async () => {
      warnings.length = 0;
      // Once in many runs the mock broker refuses a second member: another group is asked then.
      for (let attempt = 1; attempt <= 3 && warnings.length === 0; attempt++) {
        const group = `g${randomBytes(6).toString('hex')}`;
        const topic = `rival.${group}`;
        const [one, two] = [make(group), make(group)];
        await one.subscribe(topic, () => undefined);
        warnings.length = 0;
        const joined = two.subscribe(topic, () => undefined).then(() => until(() => warnings.length > 0, 'warning'));
        await Promise.race([joined.catch(() => undefined), delay(PATIENCE_MS)]);
      }
      expect(warnings[0]).toMatch(/another reader of the same group is there/);
    },
    2 * TIMEOUT_MS,
  );

  const codeOf = (asked: Promise<unknown>) =>
    asked.then(() => undefined, (error: unknown) => (error as { readonly code?: string }).code ?? String(error)); // prettier-ignore

  test(
    'a connection that is lost behind any message costs a coded error at most, and publishing goes on',
    async () => {
      const proxy = await FaultProxy.to(`kafka://${broker}`, kafkaProtocol(broker));
      const faults: readonly Fault[] = ['reset', 'close'];
      let messages = 0;
      for (let goesOn = true; goesOn;) {
        const through = new KafkaBackend({ brokers: [`127.0.0.1:${proxy.port}`], groupId: 'lost', log: log as never });
        proxy.plan(++messages, faults[messages % 2] as Fault);
        const code = await codeOf(through.publish('lost', Buffer.from('a')));
        expect(code ?? 'FW_').toMatch(/^FW_/);
        goesOn = !proxy.isPlanned;
        proxy.unplan();
        await until(
          async () => (await codeOf(through.publish('lost', Buffer.from('b')))) === undefined,
          'publishing without an error',
        );
        await through.close();
      }
      expect(messages).toBeGreaterThan(4);
      await proxy.close();
    },
    TIMEOUT_MS,
  );

  test(
    'a broker that refuses the group refuses the subscription, and nothing stays subscribed',
    async () => {
      const proxy = await FaultProxy.to(`kafka://${broker}`, refusingGroups(kafkaProtocol(broker)));
      const group = `g${randomBytes(6).toString('hex')}`;
      const refused = new KafkaBackend({ brokers: [`127.0.0.1:${proxy.port}`], groupId: group, log: log as never });
      backends.push(refused);
      await expect(refused.subscribe(`refused.${group}`, () => undefined, { from: 'earliest' })).rejects.toThrow(
        /Group authorization failed/,
      );
      expect(refused.stats().subscriptions).toBe(0);
      await refused.close();
      await until(() => proxy.openSides === 0, 'end of the connections');
      await proxy.close();
    },
    TIMEOUT_MS,
  );

  test(
    'a subscription that is under way when its backend closes is refused',
    async () => {
      const backend = make();
      const topic = `closed.${randomBytes(6).toString('hex')}`;
      const told = codeOf(backend.subscribe(topic, () => undefined, { from: 'earliest' }));
      await delay(500);
      await backend.close();
      expect(await told).toBe('FW_EVENTS_BACKEND_CLOSED');
    },
    TIMEOUT_MS,
  );
});

/** Answers each JoinGroup (API 11) with GROUP_AUTHORIZATION_FAILED (30), as a broker with access control lists does. */
function refusingGroups(protocol: Protocol): Protocol {
  const asked = new Set<number>();
  return {
    ...protocol,
    rewritten(message, from, port) {
      const changed = protocol.rewritten?.(message, from, port) ?? Buffer.from(message);
      // Of a request: size, API, its version, and the number that its answer repeats. Of an answer: size, number, time to wait, error.
      if (from === 'client' && changed.readInt16BE(4) === 11) asked.add(changed.readInt32BE(8));
      if (from === 'server' && asked.delete(changed.readInt32BE(4))) changed.writeInt16BE(30, 12);
      return changed;
    },
  };
}
