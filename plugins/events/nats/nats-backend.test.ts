import { randomBytes } from 'node:crypto';
import { afterAll, afterEach, describe, expect, test } from '@jest/globals';
import { AckPolicy, DeliverPolicy, jetstreamManager } from '@nats-io/jetstream';
import { connect, headers } from '@nats-io/transport-node';
import { eventBackendContract } from '../../../kernel/testing/contracts/event-backend.contract.js';
import { FaultProxy, type Fault } from '../../../kernel/testing/fault-proxy.js';
import { span, traceId } from '../../../kernel/testing/fleet-spans.js';
import { describeWith } from '../../../kernel/testing/required-service.js';
import { Aggregator, aggregatorDefaults, settingsOf } from '../../fleet/aggregator/index.js';
import { EventIntake } from '../../fleet/aggregator/event-intake.js';
import { EventsTransport } from '../../fleet/transports/index.js';
import { NatsBackend, type NatsBackendOptions } from './index.js';
import { until } from '../../../kernel/testing/until.js';

describe('options of the NATS backend', () => {
  const refused = (options: object) => () => new NatsBackend(options as NatsBackendOptions);

  test('brokers is an array of strings, each host:port [EVENT-BROKER-02]', () => {
    expect(refused({ brokers: ['a:1', '[::1]:2'], groupId: 'a' })).not.toThrow();
    for (const brokers of [[], undefined, 'a:1', ['a'], [1], ['nats://a:1'], ['a:1', '']]) {
      expect(refused({ brokers, groupId: 'a' })).toThrow(/needs brokers: expected a list of host:port/);
    }
  });

  test('groupId is a string that a group can be called [EVENT-BROKER-03]', () => {
    for (const groupId of [undefined, '', 7, 'a b']) {
      expect(refused({ brokers: ['a:1'], groupId })).toThrow(/needs groupId: expected letters, digits/);
    }
  });

  test.each([
    ['maxBytes', 0],
    ['maxAge', 1.5],
    ['ackWait', '1s'],
  ])('%s is a whole number, not %j', (option, value) => {
    expect(refused({ brokers: ['a:1'], groupId: 'a', [option]: value })).toThrow(
      `needs ${option}: expected a whole number of at least 1`,
    );
  });

  test('a server that is not there is named', async () => {
    const backend = new NatsBackend({ brokers: ['127.0.0.1:1'], groupId: 'a' });
    await expect(backend.publish('a', new Uint8Array())).rejects.toMatchObject({ code: 'FW_NATS_CONNECT' });
    await backend.close();
  });
});

describeWith(
  { variable: 'FW_TEST_NATS', hint: 'NATS with JetStream: nats-server -js' },
  'NATS JetStream',
  (address) => {
    const broker = address.replace(/^nats:\/\//, '');
    const stream = `fw_test_${randomBytes(6).toString('hex')}`;
    const backends: NatsBackend[] = [];
    const warnings: string[] = [];
    const log = { warn: (_: unknown, message: string) => void warnings.push(message), error: () => undefined };

    const make = (groupId = randomBytes(6).toString('hex')) => {
      const backend = new NatsBackend({
        brokers: [broker],
        groupId,
        stream,
        log: log as never,
        maxBytes: 8 * 1024 * 1024,
      });
      backends.push(backend);
      return backend;
    };

    afterEach(async () => {
      await Promise.all(backends.splice(0).map((backend) => backend.close()));
    });

    afterAll(async () => {
      const connection = await connect({ servers: broker });
      await (await jetstreamManager(connection)).streams.delete(stream);
      await connection.close();
    });

    eventBackendContract('NATS', () => make());

    const aggregator = () =>
      new Aggregator(settingsOf(aggregatorDefaults()), {
        clock: { now: Date.now, monotonic: () => performance.now() },
        fetchDocument: () => Promise.reject(new TypeError('no network')),
      });

    const batchOf = (...ids: number[]) => {
      const text = JSON.stringify(ids.map((id) => span({ trace: id, id })));
      return { count: ids.length, text: () => text, byTrace: () => ids.map((id) => ({ traceId: traceId(id), text: JSON.stringify([span({ trace: id, id })]) })) }; // prettier-ignore
    };

    test('an aggregator that is killed and comes back misses nothing, and counts nothing twice', async () => {
      const group = `g${randomBytes(6).toString('hex')}`;
      const sender = new EventsTransport({ aggregatorURL: 'http://127.0.0.1', backend: make(), serviceName: 'orders' });
      const signal = new AbortController().signal;
      const [first, firstBackend] = [aggregator(), make(group)];
      await new EventIntake(first, firstBackend, { takesUnsigned: true }).open();
      await sender.exportSpans(batchOf(1, 2, 3), signal);
      await until(() => first.stats().spans === 3, 'three spans');
      await firstBackend.close();
      await sender.exportSpans(batchOf(4, 5), signal);
      const second = aggregator();
      await new EventIntake(second, make(group), { takesUnsigned: true }).open();
      await until(() => second.stats().spans === 2, 'two spans');
      await sender.exportSpans(batchOf(5, 6), signal);
      await until(() => second.stats().spans === 3, 'three spans');
      expect(second.trace(traceId(4))).toBeDefined();
      expect(second.trace(traceId(1))).toBeUndefined();
      expect(second.stats()).toMatchObject({ spans: 3, spans_duplicate: 1 });
    });

    test('topics that differ by a dot and an underscore have readers of their own, which go on where they stopped', async () => {
      const group = `g${randomBytes(6).toString('hex')}`;
      const heard: string[] = [];
      const read = async () => {
        const backend = make(group);
        const topics = ['orders.paid', 'orders_paid', 'orders.paid_late', 'orders_paid.late'];
        for (const topic of topics)
          await backend.subscribe(topic, ({ payload }) => void heard.push(`${topic} ${Buffer.from(payload)}`));
        return backend;
      };
      const first = await read();
      await first.publish('orders.paid', Buffer.from('1'));
      await first.publish('orders_paid', Buffer.from('2'));
      await first.publish('orders.paid_late', Buffer.from('3'));
      await until(() => heard.length === 3, 'three messages');
      await first.close();
      await make().publish('orders_paid', Buffer.from('4'));
      await read();
      await until(() => heard.length === 4, 'the message that came in between');
      expect(heard.sort()).toEqual(['orders.paid 1', 'orders.paid_late 3', 'orders_paid 2', 'orders_paid 4']);
    });

    test('subscriptions that begin at the same time get every message, each', async () => {
      const backend = make();
      const heard: string[] = [];
      const subscribe = (name: string) => backend.subscribe('both', () => void heard.push(name));
      await Promise.all([subscribe('a'), subscribe('b')]);
      await backend.publish('both', Buffer.from('1'));
      await until(() => heard.length === 2, 'both messages');
      expect(heard.sort()).toEqual(['a', 'b']);
    });

    test('a reader goes on with the consumer that an earlier release has made', async () => {
      const group = `g${randomBytes(6).toString('hex')}`;
      const [writer, reader] = [make(), make(group)];
      await writer.publish('old_orders', Buffer.from('before'));
      const connection = await connect({ servers: broker });
      const { consumers } = await jetstreamManager(connection);
      const filter_subject = `${stream}.old_orders`;
      const durable_name = `${group}-old_orders-1`;
      await consumers.add(stream, { durable_name, filter_subject, ack_policy: AckPolicy.Explicit, deliver_policy: DeliverPolicy.New }); // prettier-ignore
      await connection.close();
      await writer.publish('old_orders', Buffer.from('meanwhile'));
      const heard: string[] = [];
      await reader.subscribe('old_orders', ({ payload }) => void heard.push(Buffer.from(payload).toString()));
      await until(() => heard.length > 0, 'the message');
      expect(heard).toEqual(['meanwhile']);
    });

    test('a second reader of the same group is noticed and warned about', async () => {
      const group = `g${randomBytes(6).toString('hex')}`;
      const [one, two] = [make(group), make(group)];
      warnings.length = 0;
      await one.subscribe('a', () => undefined);
      await two.subscribe('a', () => undefined);
      await until(() => warnings.length === 2, 'warning of each');
      expect(warnings[0]).toMatch(/another reader of the same group/);
      expect([await one.rivals(), await two.rivals()]).toEqual([1, 1]);
    });

    test('an existing stream is raised to what the options ask for, and warned about when it keeps more', async () => {
      const name = `${stream}_limits`;
      const connection = await connect({ servers: broker });
      const { streams } = await jetstreamManager(connection);
      const limitsOf = async () => {
        const { config } = await streams.info(name);
        return [config.max_bytes, config.max_age / 1e6];
      };
      const start = async (options: Partial<NatsBackendOptions>) => {
        warnings.length = 0;
        const backend = new NatsBackend({
          brokers: [broker],
          groupId: 'g',
          stream: name,
          log: log as never,
          ...options,
        });
        await backend.publish('a', Buffer.from('kept'));
        await backend.close();
      };
      try {
        await start({ maxBytes: 1_000_000, maxAge: 60_000 });
        await start({ maxBytes: 2_000_000, maxAge: 120_000 });
        expect([await limitsOf(), warnings]).toEqual([[2_000_000, 120_000], []]);
        await start({});
        expect([await limitsOf(), warnings]).toEqual([[2_000_000, 120_000], []]);
        await start({ maxBytes: 3_000_000, maxAge: 1_000 });
        expect(await limitsOf()).toEqual([3_000_000, 120_000]);
        expect(warnings).toEqual([
          expect.stringMatching(/keeps messages up to 120000 milliseconds, not 1000 milliseconds as maxAge says/),
        ]);
        const { config, state } = await streams.info(name);
        expect(state.messages).toBe(4);
        await streams.update(name, { ...config, max_bytes: -1 });
        await start({ maxBytes: 5_000_000 });
        expect(warnings).toEqual([expect.stringMatching(/keeps messages without a limit, not 5000000 bytes/)]);
      } finally {
        await streams.delete(name);
        await connection.close();
      }
    });

    test('a server that is lost behind any piece of the conversation is a coded error, and found again', async () => {
      const coded = async (running: Promise<unknown>) => {
        const error: unknown = await running.then(
          () => undefined,
          (failure: unknown) => failure,
        );
        if (error !== undefined) expect(error).toMatchObject({ code: 'FW_NATS_CONNECT' });
        return error === undefined;
      };
      const proxy = await FaultProxy.to(`nats://${broker}`);
      const faults = ['reset', 'close'] as const;
      // Every third: the client waits for seconds before it connects again.
      for (let after = 1, goesOn = true; goesOn; after += 3) {
        const groupId = randomBytes(6).toString('hex');
        const backend = new NatsBackend({ brokers: [`127.0.0.1:${proxy.port}`], groupId, stream, log: log as never });
        proxy.plan(after, faults[after % 2] as Fault);
        let heard = 0;
        const subscribing = backend.subscribe('lost', () => void heard++);
        const isSubscribed = await coded(subscribing);
        await coded(backend.publish('lost', Buffer.from('a')));
        goesOn = !proxy.isPlanned;
        proxy.unplan();
        for (let tries = 0; tries < 50 && !(await coded(backend.publish('lost', Buffer.from('b')))); tries++)
          await new Promise((resolve) => setTimeout(resolve, 100));
        if (isSubscribed) await until(() => heard > 0, 'a message behind the loss');
        await backend.close();
      }
      await proxy.close();
    });

    test('a message that somebody else wrote, with a header that nobody can read, ends no subscription', async () => {
      const backend = make();
      const heard: string[] = [];
      await backend.subscribe('foreign', ({ payload }) => void heard.push(Buffer.from(payload).toString()));
      const connection = await connect({ servers: broker });
      const header = headers();
      header.set('fw-meta', '{{{');
      connection.publish(`${stream}.foreign`, 'odd', { headers: header });
      await connection.flush();
      await connection.close();
      await backend.publish('foreign', Buffer.from('even'));
      await until(() => heard.length === 1, 'the second message');
      expect([heard, backend.stats().failed]).toEqual([['even'], 1]);
    });

    test('a stream of that name for something else is refused, with the reason', async () => {
      const name = `${stream}_foreign`;
      const connection = await connect({ servers: broker });
      const { streams } = await jetstreamManager(connection);
      await streams.add({ name, subjects: [`${name}_orders.*`] });
      try {
        const backend = new NatsBackend({ brokers: [broker], groupId: 'g', stream: name });
        backends.push(backend);
        await expect(backend.publish('a', Buffer.from('lost'))).rejects.toMatchObject({
          code: 'FW_NATS_STREAM',
          message: `The NATS stream ${name} is there already, for ${name}_orders.* and not for ${name}.>.`,
        });
      } finally {
        await streams.delete(name);
        await connection.close();
      }
    });
  },
);
