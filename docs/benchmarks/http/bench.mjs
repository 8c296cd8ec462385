import assert from 'node:assert/strict';
import path from 'node:path';
import {
  buildProduct,
  controlName,
  CORES,
  exchange,
  isWanted,
  leaveMeasuredCore,
  MeasuredServer,
  requestTables,
  roundsOfProcesses,
} from '../harness/index.mjs';
import { headersOf, requestsOf } from './requests.mjs';
import { notes } from './notes.mjs';
import { SCENARIOS, SECURITY } from './work.mjs';

/** @typedef {import('../harness/types.js').Goal} Goal */
/** @typedef {import('../harness/types.js').Round} Round */
/** @typedef {import('../harness/types.js').RunSettings} RunSettings */
/** @typedef {import('../harness/types.js').SlicedSubject} SlicedSubject */
/** @typedef {import('../harness/types.js').TableInput} TableInput */

/** @typedef {{ readonly module: string, readonly variant?: object }} SubjectModule */

const SERVER = path.join(import.meta.dirname, 'server.mjs');
const CONNECTIONS = 64;
const WARM_UP = 6_000;

const FW = 'fw';
const PUBLIC = 'fw, public API of Node only';
const NO_CACHE = 'fw, token cache off';
const FASTIFY = 'Fastify';
const CACHED = 'Fastify, token cache on';
const RAW = 'node:http';

/** @type {Readonly<Record<string, SubjectModule>>} */
const SUBJECTS = {
  [FW]: { module: 'fw' },
  [PUBLIC]: { module: 'fw', variant: { fastPath: 'public' } },
  [NO_CACHE]: { module: 'fw', variant: { tokenCacheSize: 0 } },
  [FASTIFY]: { module: 'fastify' },
  [CACHED]: { module: 'fastify', variant: { tokenCache: true } },
  Koa: { module: 'koa' },
  Hono: { module: 'hono' },
  [RAW]: { module: 'raw' },
};

/**
 * @typedef {object} Plan
 * @property {string} scenario
 * @property {string} title
 * @property {number} requests - of one slice
 * @property {number} share - of the time
 * @property {readonly string[]} others - who takes part without a goal
 * @property {readonly { readonly baseline: string, readonly goals: Readonly<Record<string, Goal>> }[]} goals
 */

/** @type {readonly Plan[]} */
const PLANS = [
  {
    scenario: 'bare',
    title: 'One route, no middleware',
    requests: 400,
    share: 0.3,
    others: ['Koa', 'Hono'],
    goals: [
      { baseline: FASTIFY, goals: { [FW]: { atLeast: 1.2 } } },
      { baseline: RAW, goals: { [FW]: { atLeast: 1 }, [PUBLIC]: { atLeast: 0.9 } } },
    ],
  },
  {
    scenario: 'small',
    title: 'Nine middlewares, 120 bytes',
    requests: 200,
    share: 0.34,
    others: ['Koa', 'Hono'],
    goals: [
      { baseline: FASTIFY, goals: { [FW]: { atLeast: 3 }, [NO_CACHE]: { atLeast: 1.5 } } },
      { baseline: CACHED, goals: { [FW]: { atLeast: 2.5 } } },
    ],
  },
  {
    scenario: 'compressed',
    title: 'Nine middlewares, 120 bytes compressed with brotli',
    requests: 200,
    share: 0.18,
    others: [],
    goals: [{ baseline: FASTIFY, goals: { [FW]: { atLeast: 2.1 } } }],
  },
  {
    scenario: 'large',
    title: 'Nine middlewares, 8 KiB compressed with brotli',
    requests: 100,
    share: 0.18,
    others: [],
    goals: [{ baseline: FASTIFY, goals: { [FW]: { atLeast: 1.45 } } }],
  },
];

/** @type {import('../harness/types.js').Bench} */
export default {
  name: 'http',
  title: 'HTTP',
  measured: `Each subject is a server in a process of its own that answers \`GET /users/:id\` with JSON. It gets some
thousand requests for 1,000 different users in a round, over ${CONNECTIONS} open connections, each of which sends its next request when it has its
answer, so the server is saturated. They come in ten slices: between two of one subject every other one has its turn, in shuffled order, and each
begins with ${CONNECTIONS} requests that do not count, because the caches of the core are still those of another subject. Every
third of the rounds has new processes, after ${WARM_UP.toLocaleString('en')} requests of warm-up. **Processor time** is what the server's process used per request, all of its threads; **time** is what passed on the clock per request, which is one over
the requests per second. The load comes from the same machine. ${CORES} Goals are judged by both.

**Nine middlewares** are recovery, logging (a line per request), rate limit with its headers, locale, CORS, twelve security headers, JWT
(HS256, 64 different tokens, a role) , ETag (MD5) and compression (brotli quality 4, from 1 KiB on; in one scenario whatever the size). fw
runs as an application boots it: plugins from a configuration, dispatch, routes of a module, errors as problem+json. Before anything
counts, every subject has to give the right body, the twelve headers, 304 for its ETag, 401 without a token, and brotli where it is asked for.`,
  peers: [
    { name: 'fw', packages: [], configuration: 'defaults; the built product' },
    {
      name: FASTIFY,
      packages: [
        'fastify',
        '@fastify/rate-limit',
        '@fastify/cors',
        '@fastify/helmet',
        '@fastify/jwt',
        '@fastify/etag',
        '@fastify/compress',
      ],
      configuration:
        'its own plugins; logging and locale (cookie, negotiator) as hooks; small bodies are compressed on the spot',
    },
    {
      name: 'Koa',
      packages: [
        'koa',
        '@koa/router',
        'koa-ratelimit',
        '@koa/cors',
        'koa-helmet',
        'koa-jwt',
        'koa-compress',
        'koa-conditional-get',
      ],
      configuration: 'secret as a KeyObject, which makes jsonwebtoken forty times as fast',
    },
    {
      name: 'Hono',
      packages: ['hono', '@hono/node-server', 'hono-rate-limiter'],
      configuration: 'its own middlewares; it has no brotli and is not in those scenarios',
    },
    { name: RAW, packages: [], configuration: 'one writeHead and one end' },
  ],
  parts: PLANS.map(({ scenario }) => scenario),
  budgetSeconds: 360,
  notes,
  limits: `One server process, keep-alive, no TLS, no request bodies. Names of rate limit headers differ by a prefix. fw hashes the bytes that it
sends, the others those before compression. Koa and Hono compress through streams, whatever the size, and are left out where everything is
compressed.`,
  measure,
};

/** @param {RunSettings} settings */
async function measure(settings) {
  buildProduct(settings);
  leaveMeasuredCore();
  /** @type {TableInput[]} */
  const tables = [];
  for (const plan of PLANS) {
    if (isWanted(settings.only, plan.scenario)) tables.push(...(await measurePlan(plan, settings)));
  }
  return tables;
}

/** @type {(plan: Plan, settings: RunSettings) => Promise<TableInput[]>} */
async function measurePlan(plan, { rounds = 45, budgetSeconds, log }) {
  const { scenario, share, goals, others } = plan;
  const baselines = goals.map(({ baseline }) => baseline);
  const names = new Set([...baselines, ...goals.flatMap((each) => Object.keys(each.goals)), ...others]);
  log(`${scenario}: ${[...names].join(', ')}`);
  const measured = await roundsOfProcesses({
    names: [...names, ...baselines.map(controlName)],
    start: (name) => started(name, plan),
    rounds,
    budgetSeconds: budgetSeconds * share,
    log,
  });
  return goals.flatMap(({ baseline, goals: own }) => tablesOf(plan, measured, baseline, own));
}

/** @type {(name: string, plan: Plan) => Promise<SlicedSubject & { readonly stop: () => Promise<void> }>} */
async function started(name, { scenario, requests }) {
  const { module, variant = {} } = subjectOf(name);
  const server = await MeasuredServer.start(SERVER, module, scenario, variant);
  const load = { requests: requestsOf(scenarioOf(scenario).chain), count: requests, connections: CONNECTIONS };
  return {
    name,
    check: () => check(server.port, scenario),
    begin: () => server.slices(load),
    stop: () => server.stop(),
  };
}

/** @param {string} name - of a subject, or of its control */
function subjectOf(name) {
  const subject = Object.entries(SUBJECTS).find(([key]) => name === key || name === controlName(key))?.[1];
  if (subject === undefined) throw new Error(`there is no subject ${name}`);
  return subject;
}

/** @type {(plan: Plan, rounds: readonly Round[], baseline: string, goals: Readonly<Record<string, Goal>>) => TableInput[]} */
function tablesOf({ scenario, title, others, goals: all }, rounds, baseline, goals) {
  // Those without a goal are shown once, next to the first baseline.
  const subjects = [...Object.keys(goals), ...(all[0]?.baseline === baseline ? others : [])];
  const suffix = baseline === RAW ? '-raw' : baseline === CACHED ? '-cached' : '';
  return requestTables(rounds, { id: `${scenario}${suffix}`, title, baseline, subjects, goals });
}

/** @type {(port: number, scenario: string) => Promise<void>} */
async function check(port, scenario) {
  const { chain, answer, threshold } = scenarioOf(scenario);
  const url = `http://127.0.0.1:${port}/users/10007`;
  const headers = chain ? headersOf(1) : {};
  const response = await fetch(url, { headers: { ...headers, 'Accept-Encoding': 'br' } });
  assert.equal(response.status, 200);
  const body = await response.json();
  assert.deepEqual(body, answer('10007'));
  if (chain) {
    const isCompressed = JSON.stringify(body).length > threshold;
    assert.equal(response.headers.get('content-encoding'), isCompressed ? 'br' : null);
    await checkChain(url, headers, response);
  }
  await exchange(port, { requests: requestsOf(chain), count: WARM_UP, connections: CONNECTIONS });
}

/** @type {(url: string, headers: Record<string, string>, response: Response) => Promise<void>} */
async function checkChain(url, headers, response) {
  const received = Object.fromEntries(Object.keys(SECURITY).map((name) => [name, response.headers.get(name)]));
  const spacesAside = (/** @type {Record<string, string | null>} */ values) =>
    JSON.stringify(values).replaceAll(' ', '');
  assert.equal(spacesAside(received), spacesAside(SECURITY));
  assert.equal(response.headers.get('content-language'), 'de');
  const tag = response.headers.get('etag') ?? '';
  // Without a Cache-Control of its own fetch sends no-cache, which asks for the whole answer.
  const conditional = { 'If-None-Match': tag, 'Cache-Control': 'max-age=0' };
  const again = await fetch(url, { headers: { ...headers, 'Accept-Encoding': 'br', ...conditional } });
  assert.equal(again.status, 304);
  const { Authorization: _token, ...anonymous } = headers;
  assert.equal((await fetch(url, { headers: anonymous })).status, 401);
}

/** @param {string} name */
function scenarioOf(name) {
  const scenario = SCENARIOS[name];
  if (scenario === undefined) throw new Error(`there is no scenario ${name}`);
  return scenario;
}
