// npm run bench:overload: four times as many requests as an application can answer, and the same work by one process and by two.
// Bounded in time (about two minutes) and in what it sends; loopback only. With --page it writes overload.md.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { environment, loadNow } from '../harness/environment.mjs';
import { freePort } from '../harness/free-port.mjs';

const FOLDER = import.meta.dirname;
const FW = path.join(FOLDER, '../../../dist/kernel/bin/fw.js');
/** Most requests that are on their way at a time, whatever the rate: more connections than Node's default backlog. */
const MOST_OPEN = 4000;
const OVERLOAD_MS = 8000;
const SCALING_ROUNDS = 5;

// Before anything is measured, so that an option that does not exist is refused.
const { values: options } = parseArgs({ options: { page: { type: 'boolean', default: false } } });
const loadBefore = loadNow();
const tables = [await overload(), await scaling()];
const { commit, node, cpu, cores, date } = environment(loadBefore);
const text = `# Overload, and several processes

\`npm run bench:overload\` sends four times as many requests as an application can answer, and then asks whether it is well. Each request of it
works for 50 ms with one of 10 connections and holds 64 KiB meanwhile, so that its capacity does not depend on the machine.

${tables.join('\n\n')}

${date}, commit ${commit}, Node ${node}, ${cores} cores (${cpu}), load average ${loadBefore} before and ${loadNow()} after.
`;
process.stdout.write(text);
if (options.page) writeFileSync(path.join(FOLDER, '../overload.md'), text);

async function overload() {
  const rows = [];
  for (const [title, env] of /** @type {[string, Record<string, string>][]} */ ([
    ['no bound', {}],
    ['`inFlight: { requests: 20 }`', { IN_FLIGHT: '20' }],
    ['rate limit of the capacity', { REQUESTS: '200' }],
  ])) {
    process.stderr.write(`overload: ${title}\n`);
    const service = await start(env);
    try {
      rows.push(await rowOf(title, service.url));
    } finally {
      await service.stop();
    }
  }
  return `## Four times its capacity

200 requests a second are what 10 connections answer; 800 a second came for ${OVERLOAD_MS / 1000} seconds, at most ${MOST_OPEN.toLocaleString('en')} open at a time.

${table(['With', 'Answered 200 (median, 99 %)', 'Turned away (median)', 'Failed', 'Memory at its peak', '99 % at 50 a second, before and after'], rows)}`;
}

/** One row: what became of the requests of the load, and how the application is after it. */
async function rowOf(/** @type {string} */ title, /** @type {string} */ url) {
  const alone = await flow(url, { perSecond: 50, ms: 2000 });
  const before = await memory(url);
  const loaded = flow(url, { perSecond: 800, ms: OVERLOAD_MS });
  let peak = before;
  const sampling = setInterval(
    () =>
      void memory(url).then(
        (now) => (peak = Math.max(peak, now)),
        () => {},
      ),
    200,
  );
  const under = await loaded;
  clearInterval(sampling);
  await delay(1000);
  const after = await flow(url, { perSecond: 50, ms: 2000 });
  const refused = under.count(503) + under.count(429);
  return [
    title,
    `${under.count(200)} (${ms(under.latency(200, 0.5))}, ${ms(under.latency(200, 0.99))})`,
    refused === 0
      ? '0'
      : `${refused} with ${under.count(503) ? 503 : 429} (${ms(under.latency(under.count(503) ? 503 : 429, 0.5))}), ${under.withRetryAfter} of them with Retry-After`,
    under.failures,
    `+${Math.round((peak - before) / 2 ** 20)} MiB`,
    `${ms(alone.latency(200, 0.99))} → ${ms(after.latency(200, 0.99))}, ${after.count(200)} of ${after.sent} answered 200`,
  ];
}

async function scaling() {
  process.stderr.write('one process and two\n');
  const [one, two] = [await start({}, 1), await start({}, 2)];
  try {
    return await compared(one.url, two.url);
  } finally {
    await Promise.all([one.stop(), two.stop()]);
  }
}

async function compared(/** @type {string} */ one, /** @type {string} */ two) {
  // The second worker starts behind the first.
  for (let tries = 0; tries < 100 && (await workersOf(two)) < 2; tries += 1) await delay(100);
  const ratios = [];
  for (let round = 0; round < SCALING_ROUNDS; round += 1) {
    const order = round % 2 === 0 ? [one, two] : [two, one];
    const rates = new Map();
    for (const url of order) rates.set(url, await throughput(url, 1500));
    ratios.push(rates.get(two) / rates.get(one));
  }
  return `## One process and two

\`fw start --workers 2\` answers ${median(ratios).toFixed(2)} times as many requests as \`--workers 1\`: the median of ${SCALING_ROUNDS} rounds of 1.5 seconds each, turn by
turn (${ratios.map((each) => each.toFixed(2)).join(', ')}). A request is 2,000 SHA-256 digests, 32 are open at a time; what sends them runs on the same cores.`;
}

/** Starts `fw start` on a free port. */
async function start(/** @type {Record<string, string>} */ env, workers = 1) {
  const port = await freePort();
  const args = [FW, 'start', '--config', path.join(FOLDER, 'app.config.mjs'), '--workers', String(workers)];
  const child = spawn(process.execPath, args, {
    cwd: FOLDER,
    env: { ...process.env, FW_LOG_LEVEL: 'error', ...env, PORT: String(port) },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const ended = once(child, 'exit');
  const url = `http://127.0.0.1:${port}`;
  const stop = async () => {
    child.kill();
    await ended;
  };
  for (let tries = 0; ; tries += 1) {
    if (
      await memory(url).then(
        () => true,
        () => false,
      )
    )
      return { url, stop };
    if (child.exitCode !== null || tries > 300) throw new Error('the application does not start; npm run build?');
    await delay(100);
  }
}

/** Sends at a rate, whatever becomes of what was sent before. */
async function flow(
  /** @type {string} */ url,
  /** @type {{ perSecond: number, ms: number }} */ { perSecond, ms: duration },
) {
  const agent = new Agent({ keepAlive: true, maxSockets: MOST_OPEN });
  /** @type {{ status: number, ms: number }[]} */
  const answers = [];
  let sent = 0;
  let open = 0;
  /** @type {Map<string, number>} */
  const failed = new Map();
  let withRetryAfter = 0;
  /** @type {Promise<void>[]} */
  const all = [];
  const begin = performance.now();
  while (performance.now() - begin < duration) {
    const due = Math.floor(((performance.now() - begin) / 1000) * perSecond);
    for (; sent < due && open < MOST_OPEN; sent += 1) {
      const at = performance.now();
      open += 1;
      all.push(
        send(`${url}/orders`, { method: 'POST', agent }).then(
          ({ status, retryAfter }) => {
            open -= 1;
            answers.push({ status, ms: performance.now() - at });
            if (status !== 200 && retryAfter !== undefined) withRetryAfter += 1;
          },
          (/** @type {NodeJS.ErrnoException} */ { code = 'without a code' }) => {
            open -= 1;
            failed.set(code, (failed.get(code) ?? 0) + 1);
          },
        ),
      );
    }
    await delay(5);
  }
  await Promise.all(all);
  agent.destroy();
  const of = (/** @type {number} */ status) =>
    answers
      .filter((each) => each.status === status)
      .map((each) => each.ms)
      .sort((a, b) => a - b);
  return {
    sent, withRetryAfter,
    failures: [...failed].map(([code, count]) => `${count} ${code}`).join(', ') || '0',
    count: (/** @type {number} */ status) => of(status).length,
    latency: (/** @type {number} */ status, /** @type {number} */ part) => of(status)[Math.floor((of(status).length - 1) * part)],
  }; // prettier-ignore
}

/** Answers a second with 32 requests open at a time, each over a connection of its own, which is what goes to one worker or another. */
async function throughput(/** @type {string} */ url, /** @type {number} */ duration) {
  let answered = 0;
  const end = performance.now() + duration;
  const ask = async () => {
    while (performance.now() < end) {
      await send(`${url}/work`, { agent: false });
      answered += 1;
    }
  };
  await Promise.all(Array.from({ length: 32 }, ask));
  return answered / duration;
}

async function workersOf(/** @type {string} */ url) {
  const all = await Promise.all(Array.from({ length: 8 }, () => send(`${url}/work`, { agent: false })));
  return new Set(all.map(({ body }) => body)).size;
}

async function memory(/** @type {string} */ url) {
  return /** @type {number} */ (JSON.parse((await send(`${url}/memory`, { agent: false })).body).rss);
}

/** @returns {Promise<{ status: number, retryAfter: string | undefined, body: string }>} */
function send(/** @type {string} */ url, /** @type {import('node:http').RequestOptions} */ options) {
  return new Promise((resolve, reject) => {
    const sent = request(url, { timeout: 60_000, ...options }, (response) => {
      let body = '';
      response
        .setEncoding('utf8')
        .on('data', (part) => (body += part))
        .on('error', reject);
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, retryAfter: response.headers['retry-after'], body }),
      );
    });
    sent
      .on('timeout', () => sent.destroy(new Error('no answer within a minute')))
      .on('error', reject)
      .end();
  });
}

/** Of an odd number. @type {(values: number[]) => number} */
function median(values) {
  return [...values].sort((a, b) => a - b)[(values.length - 1) / 2] ?? NaN;
}

/** @type {(value: number | undefined) => string} */
function ms(value) {
  return value === undefined ? 'none' : `${value < 10 ? value.toFixed(1) : Math.round(value)} ms`;
}

/** @type {(head: string[], rows: string[][]) => string} */
function table(head, rows) {
  return [head, head.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n');
}
