import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import type * as KafkaJs from 'kafkajs';
import { KafkaBackend } from '../../../plugins/events/kafka/index.js';
import { NatsBackend } from '../../../plugins/events/nats/index.js';
import { EventsTransport } from '../../../plugins/fleet/transports/index.js';
import type { EventBackend } from '../../contracts/events.js';
import { type RunningProcess, runProcess, startProcess } from '../../process/index.js';
import { span, traceId } from '../../testing/fleet-spans.js';
import { describeWith } from '../../testing/required-service.js';
import { until } from '../../testing/until.js';
import { PATIENCE_MS } from '../../testing/patience.js';

// An aggregator as a user runs it: a process of its own, the broker's package as `npm pack` makes it, killed with SIGKILL.

const ROOT = path.resolve(import.meta.dirname, '../../..');
const FW = path.join(ROOT, 'dist/kernel/bin/fw.js');
const SPANS_TOPIC = 'fleet.spans';

let folder: string;
const processes: RunningProcess[] = [];
const backends: EventBackend[] = [];

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'fw-broker-'));
  const modules = path.join(folder, 'node_modules');
  await mkdir(path.join(modules, '@fw'), { recursive: true });
  await writeFile(path.join(folder, 'package.json'), JSON.stringify({ name: 'fleet', private: true, type: 'module' }));
  for (const [name, to] of [
    ['fw', ROOT],
    ...['@nats-io', 'kafkajs'].map((each) => [each, path.join(ROOT, 'node_modules', each)]),
  ] as [string, string][]) {
    await symlink(to, path.join(modules, name));
  }
  for (const name of ['nats', 'kafka']) await unpack(name, path.join(modules, `@fw/backend-${name}`));
});

afterEach(async () => {
  await Promise.all(processes.splice(0).map((each) => each.stop()));
  await Promise.all(backends.splice(0).map((each) => each.close()));
});

afterAll(() => rm(folder, { recursive: true, force: true }));

const run = (command: string, args: readonly string[], cwd: string) =>
  runProcess({ command, args, cwd, timeoutMs: PATIENCE_MS, maxOutputBytes: 100_000 });

async function unpack(name: string, to: string): Promise<void> {
  const source = path.join(ROOT, 'plugins/events', name);
  const packed = await run('npm', ['pack', '--silent', '--pack-destination', folder], source);
  expect(packed).toMatchObject({ exitCode: 0 });
  await mkdir(to);
  const tarball = path.join(folder, packed.stdout.trim().split('\n').at(-1) ?? '');
  expect(await run('tar', ['-xzf', tarball, '-C', to, '--strip-components=1'], folder)).toMatchObject({ exitCode: 0 });
}

interface Running {
  readonly process: RunningProcess;
  readonly stats: () => Promise<Stats>;
}

interface Stats {
  readonly spans_accepted: number;
  readonly spans_duplicate: number;
  readonly events: { readonly backend: string; readonly messages: number; readonly malformed: number };
}

/** `fw start ...`, until it listens. */
async function fw(args: readonly string[], env: Record<string, string> = {}): Promise<Running> {
  const running = await startProcess({ command: process.execPath, args: [FW, 'start', ...args], cwd: folder, env });
  processes.push(running);
  const [url] = await running.waitForLine(/http:\/\/127\.0\.0\.1:\d+\/fleet/, { timeoutMs: PATIENCE_MS });
  return { process: running, stats: async () => (await (await fetch(`${url}/api/stats`)).json()) as Stats };
}

/** An application that is an aggregator and reads from a broker. */
async function configured(name: string, backend: string, options: object): Promise<readonly string[]> {
  const text = `
    import { defineApp, plugin } from 'fw';
    export default defineApp({
      name: 'fleet',
      plugins: [
        plugin(() => import('${backend}'), ${JSON.stringify(options)}),
        plugin(() => import('fw/http'), { port: 0 }),
        plugin(() => import('fw/fleet/aggregator'), { maxTraces: 100_000 }),
      ],
    });
  `;
  await writeFile(path.join(folder, name), text);
  return ['--config', name];
}

/** Publishes spans of as many traces, as a service does. */
async function publish(backend: EventBackend, first: number, count: number): Promise<void> {
  const sender = new EventsTransport({ aggregatorURL: 'http://127.0.0.1', backend, serviceName: 'orders' });
  for (let from = first; from < first + count; from += 100) {
    const ids = Array.from({ length: Math.min(100, first + count - from) }, (_, n) => from + n);
    const text = (id: number) => JSON.stringify([span({ trace: id, id })]);
    const byTrace = () => ids.map((id) => ({ traceId: traceId(id), text: text(id) }));
    await sender.exportSpans({ count: ids.length, text: () => '', byTrace }, new AbortController().signal);
  }
}

const reached = (read: () => Promise<Stats>, isThere: (stats: Stats) => boolean): Promise<Stats> =>
  until(async () => {
    const stats = await read();
    return isThere(stats) && stats;
  }, 'such state of the aggregator');

/** What was read until the process was killed: at last the broker has heard everything that the process had sent. */
async function settled(read: () => Promise<number>): Promise<number> {
  let last = -1;
  const [found] = await until(async () => {
    await new Promise((resolve) => setTimeout(resolve, 200));
    const value = await read();
    if (value === last) return [value];
    last = value;
    return false;
  }, 'number that stays');
  return found as number;
}

async function killed({ process: running }: Running): Promise<void> {
  running.kill('SIGKILL');
  await running.exited;
}

const group = () => `g${randomBytes(6).toString('hex')}`;

describeWith(
  { variable: 'FW_TEST_NATS', hint: 'NATS with JetStream: nats-server -js' },
  'an aggregator on NATS',
  (address) => {
    const broker = address.replace(/^nats:\/\//, '');
    const stream = `fw_e2e_${randomBytes(6).toString('hex')}`;

    const nats = async <Value>(ask: (manager: Awaited<ReturnType<typeof jetstreamManager>>) => Promise<Value>) => {
      const connection = await connect({ servers: broker });
      try {
        return await ask(await jetstreamManager(connection));
      } finally {
        await connection.close();
      }
    };

    afterAll(() => nats((manager) => manager.streams.delete(stream)));

    test('that is killed goes on at its committed offset, and nothing that the broker kept is lost [EVENT-BROKER-01, EVENT-BROKER-04]', async () => {
      const groupId = group();
      const writer = new NatsBackend({ brokers: [broker], groupId: group(), stream });
      backends.push(writer);
      await publish(writer, 0, 3_000);
      const options = { brokers: [broker], groupId, stream, ackWait: '1s' };
      const config = await configured('nats.config.js', '@fw/backend-nats', options);
      const first = await fw(config);
      await reached(first.stats, ({ spans_accepted: spans }) => spans > 0);
      await killed(first);
      const consumer = `${groupId}-${SPANS_TOPIC.replaceAll('.', '_')}-1`;
      const committed = await settled(() =>
        nats(async (manager) => (await manager.consumers.info(stream, consumer)).ack_floor.stream_seq),
      );
      await publish(writer, 3_000, 50);
      const second = await fw(config);
      const rest = 3_050 - committed;
      expect(rest).toBeGreaterThanOrEqual(50);
      const stats = await reached(second.stats, ({ spans_accepted: spans }) => spans >= rest);
      expect(stats.spans_accepted).toBe(rest);
      expect(stats.events).toMatchObject({ backend: 'nats', malformed: 0 });
    });

    test('reads earlier events again in a new group [EVENT-BROKER-05]', async () => {
      const options = { brokers: [broker], groupId: group(), stream };
      const reader = await fw(await configured('replay.config.js', '@fw/backend-nats', options));
      expect((await reached(reader.stats, ({ spans_accepted: spans }) => spans >= 3_050)).spans_accepted).toBe(3_050);
    });

    test('is what `fw start aggregator` runs when FLEET_EVENTS says so, and warns about a second one of its group', async () => {
      const env = { FLEET_PORT: '0', FLEET_EVENTS: 'nats', FLEET_BROKERS: broker, FLEET_GROUP_ID: group() };
      const [one, two] = [await fw(['aggregator'], env), await fw(['aggregator'], env)];
      for (const { process: running } of [one, two]) {
        await running.waitForLine(/another reader of the same group is there/, { timeoutMs: PATIENCE_MS });
      }
      expect((await one.stats()).events.backend).toBe('nats');
    });
  },
);

// librdkafka's mock broker speaks the real protocol, but keeps its log in memory: that the log outlives the broker itself
// is not shown here.
describeWith(
  { variable: 'FW_TEST_KAFKA', hint: 'a Kafka broker, or the mock broker of kcat' },
  'an aggregator on Kafka',
  (broker) => {
    const { Kafka, logLevel } = createRequire(import.meta.url)('kafkajs') as typeof KafkaJs;
    const admin = new Kafka({ clientId: 'test', brokers: [broker], logLevel: logLevel.NOTHING }).admin();

    beforeAll(() => admin.connect());
    afterAll(() => admin.disconnect());

    const written = async () =>
      sumOf((await admin.fetchTopicOffsets(SPANS_TOPIC)).map(({ high, low }) => Number(high) - Number(low)));
    const committedBy = async (groupId: string) => {
      const [topic] = await admin.fetchOffsets({ groupId: `${groupId}-${SPANS_TOPIC}-1`, topics: [SPANS_TOPIC] });
      return sumOf((topic?.partitions ?? []).map(({ offset }) => Math.max(0, Number(offset))));
    };

    test('that is killed goes on at its committed offset, and nothing that the broker kept is lost', async () => {
      const groupId = group();
      const writer = new KafkaBackend({ brokers: [broker], groupId: group() });
      backends.push(writer);
      const base = Math.floor(Math.random() * 1e9) * 1_000;
      await publish(writer, base, 500);
      const config = await configured('kafka.config.js', '@fw/backend-kafka', { brokers: [broker], groupId });
      const first = await fw(config);
      await reached(first.stats, ({ events }) => events.messages > 0);
      await killed(first);
      const committed = await settled(() => committedBy(groupId));
      await publish(writer, base + 500, 50);
      const rest = (await written()) - committed;
      expect(rest).toBeGreaterThanOrEqual(50);
      const second = await fw(config);
      const stats = await reached(second.stats, ({ events }) => events.messages >= rest);
      expect(stats.events).toMatchObject({ backend: 'kafka', messages: rest, malformed: 0 });
    });
  },
);

const sumOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0);
