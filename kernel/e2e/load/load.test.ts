import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { Agent, type IncomingHttpHeaders, request } from 'node:http';
import { connect, type Socket } from 'node:net';
import path from 'node:path';
import { afterEach, beforeAll, expect, test } from '@jest/globals';
import { type RunningProcess, runProcess, startProcess } from '../../process/index.js';
import { tally } from '../../testing/tally.mjs';
import { until } from '../../testing/until.js';
import { PATIENCE_MS } from '../../testing/patience.js';

const ROOT = path.resolve(import.meta.dirname, '../../..');
const MIB = 1024 * 1024;
/** How long a load lasts, and how many connections are idle: `npm run trust -- load --seconds 3600 --cases 10000`. */
const SECONDS = Number(process.env['FW_TRUST_SECONDS'] ?? 2);
const CONNECTIONS = Math.min(Number(process.env['FW_TRUST_CASES'] ?? 300), filesOfProcess() - 500);
const LONGEST_MS = (SECONDS + 120) * 1000;
/** Requests that the application answers at a time, and those that come at a time. */
const [AT_A_TIME, CLIENTS] = [16, 64];

beforeAll(async () => {
  const built = await runProcess({
    command: process.execPath,
    args: [path.join(ROOT, 'dist/kernel/bin/fw.js'), 'build', '--no-check'],
    cwd: ROOT,
    timeoutMs: PATIENCE_MS,
    maxOutputBytes: MIB,
  });
  expect(built).toMatchObject({ exitCode: 0 });
});

const running: RunningProcess[] = [];
afterEach(async () => {
  for (const child of running.splice(0)) await child.stop({ graceMs: 20_000 });
});

interface Facts {
  /** Bytes of the heap and beside it that are in use after a collection. */
  readonly used: number;
  /** Bytes of the whole process. */
  readonly rss: number;
  readonly open: number;
  readonly router: { readonly turned_away: number; readonly stalled_clients: number };
}

/** The reference application in a process of its own. Fleet keeps little, so that what it may keep is full soon. */
async function startShop(options: Readonly<Record<string, object>> = {}) {
  const child = await startProcess({
    command: process.execPath,
    args: ['--expose-gc', path.join(import.meta.dirname, 'shop-under-load.mjs')],
    cwd: ROOT,
    env: {
      FW_LOAD_OPTIONS: JSON.stringify({
        'fleet/aggregator': { maxTraces: 100, maxSpans: 1000 },
        'middleware/rate-limit': { requests: 1_000_000, per: '1s' },
        ...options,
      }),
    },
  });
  running.push(child);
  const [, url, factsUrl] = await child.waitForLine(/^loaded (\S+) (\S+)$/, { timeoutMs: PATIENCE_MS });
  const facts = async () => (await (await fetch(factsUrl as string)).json()) as Facts;
  return { url: url as string, port: Number(new URL(url as string).port), facts };
}

interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
}

function ask(url: string, { method = 'GET', body, agent }: { method?: string; body?: string; agent?: Agent } = {}) {
  return new Promise<Answer>((resolve, reject) => {
    const headers = body === undefined ? {} : { 'content-type': 'application/json' };
    const sent = request(url, { method, headers, ...(agent && { agent }) }, (response) => {
      response.resume().on('error', reject);
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers }));
    });
    sent.on('error', reject).end(body);
  });
}

const order = JSON.stringify({ customerId: 1, lines: [{ productId: 1, quantity: 50 }] });
/** What clients ask: reads, orders until the stock is sold, wrong bodies, paths that there are none of. */
const WORK: readonly ((url: string, at: number, agent: Agent) => Promise<Answer>)[] = [
  (url, _, agent) => ask(`${url}/api/products`, { agent }),
  (url, at, agent) => ask(`${url}/api/products/${(at % 4) + 1}`, { agent }),
  (url, at, agent) => ask(`${url}/api/products?search=${at}`, { agent }),
  (url, _, agent) => ask(`${url}/api/orders`, { method: 'POST', body: order, agent }),
  (url, at, agent) => ask(`${url}/api/orders`, { method: 'POST', body: `{"wrong": ${at}`, agent }),
  (url, at, agent) => ask(`${url}/nothing/${at}`, { agent }),
];

/** Clients that ask one after the other, until the time is over. @returns how many answers had which status */
async function load(url: string, ms: number, agent: Agent): Promise<Map<number, number>> {
  const counts = new Map<number, number>();
  const end = performance.now() + ms;
  let asked = 0;
  const client = async () => {
    do {
      const work = WORK[asked++ % WORK.length] as (typeof WORK)[number];
      const { status, headers } = await work(url, asked, agent);
      if (status === 503 || status === 429) expect(headers['retry-after']).toMatch(/^\d+$/);
      counts.set(status, (counts.get(status) ?? 0) + 1);
    } while (performance.now() < end);
  };
  await Promise.all(Array.from({ length: CLIENTS }, client));
  tally({ tried: asked });
  return counts;
}

/** A client that has sent half of its order, and so holds one of the places. */
async function halfAnOrder(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  const head = `POST /api/orders HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${order.length}`;
  socket.write(`${head}\r\n\r\n${order.slice(0, 10)}`);
  return socket;
}

test('more than can be answered at a time gets 503, probes are answered, and all is well afterwards', async () => {
  const { url, port, facts } = await startShop({ http: { inFlight: { requests: AT_A_TIME, retryAfter: '2s' } } });
  const holding = await Promise.all(Array.from({ length: AT_A_TIME }, () => halfAnOrder(port)));
  await until(async () => (await ask(`${url}/api/products`)).status === 503, 'a full application');
  const refused = await Promise.all(Array.from({ length: CLIENTS * 4 }, () => ask(`${url}/api/products`)));
  expect(new Set(refused.map(({ status, headers }) => `${status} ${headers['retry-after']}`))).toEqual(
    new Set(['503 2']),
  );
  expect((await ask(`${url}/livez`)).status).toBe(200);
  expect((await facts()).router.turned_away).toBeGreaterThanOrEqual(refused.length);
  // Who was admitted gets the answer of the application, which has stock for the first few.
  const answers = holding.map(async (socket) => {
    socket.write(order.slice(10));
    return String((await once(socket, 'data'))[0]).slice(9, 12);
  });
  expect(new Set(await Promise.all(answers))).toEqual(new Set(['201', '409']));
  for (const socket of holding) socket.destroy();
  await until(async () => (await ask(`${url}/api/products`)).status === 200, 'room');
  tally({ tried: refused.length + holding.length });
});

test('a client beyond its rate gets 429 and the time of the next window, and is answered in it', async () => {
  const { url } = await startShop({ 'middleware/rate-limit': { requests: 20, per: '2s' } });
  const answers = await Promise.all(Array.from({ length: 200 }, () => ask(`${url}/api/products`)));
  const refused = answers.filter(({ status }) => status === 429);
  // At most two windows lie within the requests of a busy machine, or some more.
  expect(refused.length).toBeGreaterThan(0);
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 429]));
  for (const { headers } of refused) expect(headers['retry-after']).toMatch(/^[12]$/);
  await until(async () => (await ask(`${url}/api/products`)).status === 200, 'answer in the next window');
  tally({ tried: answers.length });
});

test(
  'several times its capacity, with Fleet on: each request is answered, memory has a bound, and all is well afterwards',
  async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: CLIENTS });
    const { url, facts } = await startShop({ http: { inFlight: { requests: AT_A_TIME } } });
    await load(url, 1000, agent);
    // What Fleet, the dashboard and the caches may keep is kept by now; a longer load adds nothing.
    await load(url, SECONDS * 500, agent);
    const half = await facts();
    const counts = await load(url, SECONDS * 500, agent);
    const end = await facts();
    expect([...counts.keys()].filter((status) => ![200, 201, 400, 404, 409, 503].includes(status))).toEqual([]);
    expect(counts.get(200)).toBeGreaterThan(0);
    expect(end.used - half.used).toBeLessThan(32 * MIB);
    agent.destroy();
    await until(async () => (await facts()).open < 8, 'end of the connections');
    expect((await ask(`${url}/api/products`)).status).toBe(200);
  },
  LONGEST_MS,
);

test(
  'idle connections cost little, keep nobody else from an answer, and leave nothing behind',
  async () => {
    // A slow machine needs minutes to open ten thousand.
    const { url, port, facts } = await startShop({ http: { keepAliveTimeout: '1h' } });
    expect((await ask(`${url}/api/products`)).status).toBe(200);
    const before = await facts();
    const sockets: Socket[] = [];
    const open = async () => {
      const socket = connect(port, '127.0.0.1').on('error', () => {});
      sockets.push(socket);
      socket.write('GET /api/products/1 HTTP/1.1\r\nHost: x\r\n\r\n');
      await once(socket, 'data');
    };
    while (sockets.length < CONNECTIONS) {
      const missing = Math.min(100, CONNECTIONS - sockets.length);
      await Promise.all(Array.from({ length: missing }, open));
    }
    await until(async () => (await facts()).open >= CONNECTIONS, 'open connections');
    const idle = await facts();
    expect((await ask(`${url}/api/products`)).status).toBe(200);
    // 8 MiB are what records of so many requests may take; the rest is what connections cost.
    expect(idle.used - before.used).toBeLessThan(8 * MIB + CONNECTIONS * 24 * 1024);
    process.stdout.write(
      `${CONNECTIONS} idle connections: ${Math.round((idle.used - before.used) / CONNECTIONS)} bytes each in use, ` +
        `${Math.round((idle.rss - before.rss) / CONNECTIONS)} of the process\n`,
    );
    for (const socket of sockets) socket.destroy();
    await until(async () => (await facts()).open < 8, 'end of the connections');
    expect((await facts()).used - before.used).toBeLessThan(8 * MIB + CONNECTIONS * 2 * 1024);
    tally({ tried: CONNECTIONS });
  },
  LONGEST_MS,
);

/** Most files that this process, and so the one that it starts, may have open. */
function filesOfProcess(): number {
  try {
    return Number(/^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1] ?? 1024);
  } catch {
    return 1024;
  }
}
