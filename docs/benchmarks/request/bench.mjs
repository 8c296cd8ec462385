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
  signedToken,
} from '../harness/index.mjs';
import { makeDatabases } from './database.mjs';
import { notes } from './notes.mjs';
import { prepare } from './prepare.mjs';
import { headersOf, requests, tokens } from './requests.mjs';
import { answerOf, LIMIT, pathOf, POSTS_EACH, SECRET, USERS } from './work.mjs';

/** @typedef {import('../harness/sqlite-dates.mjs').DateForm} DateForm */
/** @typedef {import('../harness/types.js').Goal} Goal */
/** @typedef {import('../harness/types.js').RunSettings} RunSettings */
/** @typedef {import('../harness/types.js').SlicedSubject} SlicedSubject */
/** @typedef {import('../harness/types.js').TableInput} TableInput */

/** @typedef {{ readonly module: string, readonly dates: DateForm, readonly variant?: object }} SubjectModule */

const CONNECTIONS = 64;
const WARM_UP = 6_000;
/** Requests of one slice. */
const REQUESTS = 200;

const FW = 'fw';
const NO_CACHE = 'fw, token cache off';
const FASTIFY = 'Fastify + Drizzle';
const FASTIFY_NO_CACHE = 'Fastify + Drizzle, token cache off';
const NEST = 'NestJS + Prisma';
const BY_HAND = 'node:http + better-sqlite3';

/** @type {Readonly<Record<string, SubjectModule>>} */
const SUBJECTS = {
  [FW]: { module: 'fw', dates: 'iso' },
  [NO_CACHE]: { module: 'fw', dates: 'iso', variant: { tokenCacheSize: 0 } },
  [FASTIFY]: { module: 'fastify', dates: 'ms' },
  [FASTIFY_NO_CACHE]: { module: 'fastify', dates: 'ms', variant: { tokenCache: false } },
  [NEST]: { module: 'nest', dates: 'prisma' },
  [BY_HAND]: { module: 'by-hand', dates: 'iso' },
};

/**
 * @typedef {object} Comparison
 * @property {string} part - its tables begin with this
 * @property {string} baseline
 * @property {Readonly<Record<string, Goal>>} goals
 * @property {readonly string[]} others - who takes part without a goal
 */

/** @type {readonly Comparison[]} */
const COMPARISONS = [
  {
    part: 'fastify',
    baseline: FASTIFY,
    goals: { [FW]: { atLeast: 1.5 } },
    others: [NO_CACHE, FASTIFY_NO_CACHE, BY_HAND],
  },
  { part: 'nest', baseline: NEST, goals: { [FW]: { atLeast: 2.5 } }, others: [] },
];

/** @type {import('../harness/types.js').Bench} */
export default {
  name: 'request',
  title: 'A request from its token to its answer',
  measured: `Each subject is a server in a process of its own that answers \`GET ${pathOf(7, 50)}\`: it verifies the token
(HS256, one of 64), validates the id and both parameters of the query, reads the user by its id and its ${LIMIT} newest posts with so many
views from SQLite, and answers both as JSON (2.7 kB, 21 dates) by what the route declares as its output, which leaves out a column of each
row. There are ${USERS.toLocaleString('en')} users with ${POSTS_EACH} posts each, an index on the posts of a user by their date, and a
request for each user in turn.

The requests come over ${CONNECTIONS} open connections, each of which sends its next one when it has its answer, so the server is saturated, in ten slices a round: between two of one
subject every other one has its turn, in shuffled order, and each begins with ${CONNECTIONS} requests that do not count. Every third of the rounds has new
processes, after ${WARM_UP.toLocaleString('en')} requests of warm-up. **Processor time** is what the server's process used per request, all of its threads; **time** is what
passed on the clock per request, which is one over the requests per second. The load comes from the same machine. ${CORES} Goals are
judged by both.

Before anything counts, every subject has to answer byte for byte what is expected, and to refuse: without a token, with one of another
key and with one that has ended by 401, an id and parameters that are none by 400 or 422, an unknown user by 404.

The database is a file in write-ahead mode with \`synchronous=NORMAL\`, with the same rows for all; a date in it is what each library
writes. Each process has one copy of SQLite, the same for all.`,
  peers: [
    {
      name: FW,
      packages: ['better-sqlite3'],
      configuration:
        'plugins http, middleware/jwt and orm with their defaults; a route with schemas of inputs and output; models with generated code',
    },
    {
      name: FASTIFY,
      packages: ['fastify', '@fastify/jwt', 'drizzle-orm'],
      configuration:
        "schemas of inputs and of the answer; the plugin's token cache on; both queries prepared, on better-sqlite3",
    },
    {
      name: NEST,
      packages: [
        '@nestjs/core',
        '@nestjs/platform-fastify',
        '@nestjs/jwt',
        'class-validator',
        'class-transformer',
        '@prisma/client',
        '@prisma/adapter-better-sqlite3',
      ],
      configuration:
        "`ValidationPipe`, a guard with `JwtService`, its secret as a KeyObject; the answer by Fastify's response schema (`@RouteSchema`), which is quicker than Nest's interceptors",
    },
    {
      name: BY_HAND,
      packages: [],
      configuration: 'written for this one route; tokens remembered; rows by position, dates as the text they are',
    },
  ],
  parts: COMPARISONS.map(({ part }) => part),
  budgetSeconds: 240,
  notes,
  limits: `One server process, keep-alive, no TLS, no request bodies, reads alone. Nothing but what the request needs is installed: no log, no
rate limit, no security headers; [http](http.md) measures those. Dates on SQLite are texts for fw, milliseconds for Drizzle, which are
faster to read, and texts of its own for Prisma. Drizzle has the limit of a prepared query as a parameter by itself, for which the
SQLite of better-sqlite3 12 (Node 20) plans the statement anew each time; that of 13 does not. Bodies of refusals differ.`,
  measure,
};

/** @param {RunSettings} settings */
async function measure(settings) {
  buildProduct(settings);
  await prepare();
  const { files, drop } = await makeDatabases([...new Set(Object.values(SUBJECTS).map(({ dates }) => dates))]);
  try {
    leaveMeasuredCore();
    return await tablesOf(files, settings);
  } finally {
    await drop();
  }
}

/** @type {(files: Readonly<Record<string, string>>, settings: RunSettings) => Promise<TableInput[]>} */
async function tablesOf(files, { rounds = 45, budgetSeconds, only, log }) {
  const comparisons = COMPARISONS.filter(({ part }) => isWanted(only, part));
  const names = comparisons.flatMap(({ baseline, goals, others }) => [
    ...[baseline, controlName(baseline)],
    ...Object.keys(goals),
    ...others,
  ]);
  const measured = await roundsOfProcesses({
    names: [...new Set(names)],
    start: (name) => started(name, files),
    ...{ rounds, budgetSeconds, log },
  });
  return comparisons.flatMap(({ part, baseline, goals, others }) =>
    requestTables(measured, {
      ...{ id: part, title: 'Token, validation, two queries, JSON', baseline, goals },
      subjects: [...Object.keys(goals), ...others],
    }),
  );
}

/** @type {(name: string, files: Readonly<Record<string, string>>) => Promise<SlicedSubject & { readonly stop: () => Promise<void> }>} */
async function started(name, files) {
  const { module, dates, variant = {} } = subjectOf(name);
  const server = await MeasuredServer.start(
    path.join(import.meta.dirname, 'subjects', `${module}.mjs`),
    ...[files[dates], variant],
  );
  return {
    name,
    check: () => check(server.port),
    begin: () => server.slices({ requests, count: REQUESTS, connections: CONNECTIONS }),
    stop: () => server.stop(),
  };
}

/** @param {string} name - of a subject, or of its control */
function subjectOf(name) {
  const subject = Object.entries(SUBJECTS).find(([key]) => name === key || name === controlName(key))?.[1];
  if (subject === undefined) throw new Error(`there is no subject ${name}`);
  return subject;
}

/** @param {number} port */
async function check(port) {
  for (const [id, minViews] of /** @type {const} */ ([
    [1, 0],
    [77, 50],
    [USERS, 99],
  ])) {
    const { status, type, text } = await asked(port, pathOf(id, minViews));
    assert.equal(status, 200);
    assert.equal(type, 'application/json; charset=utf-8');
    assert.equal(text, answerOf(id, minViews));
  }
  await checkRefusals(port);
  await exchange(port, { requests, count: WARM_UP, connections: CONNECTIONS });
}

/** @param {number} port */
async function checkRefusals(port) {
  const path = pathOf(7, 0);
  const now = Math.floor(Date.now() / 1000);
  const badTokens = [
    undefined,
    'no.token.atall',
    signedToken(`another ${SECRET}`, { sub: 'user-1', exp: now + 60 }),
    signedToken(SECRET, { sub: 'user-1', exp: now - 60 }),
  ];
  for (const token of badTokens) assert.equal((await asked(port, path, token ?? null)).status, 401);
  const badInputs = [
    ...['/users/seven/posts', '/users/0/posts', '/users/1.5/posts'],
    ...['limit=0', 'limit=101', 'limit=many', 'minViews=-1'].map((query) => `/users/7/posts?${query}`),
  ];
  for (const input of badInputs) {
    const { status } = await asked(port, input);
    assert.ok(status === 400 || status === 422, `${input} is answered ${status}`);
  }
  assert.equal((await asked(port, pathOf(USERS + 1, 0))).status, 404);
}

/** @type {(port: number, path: string, token?: string | null) => Promise<{ readonly status: number, readonly type: string | null, readonly text: string }>} */
async function asked(port, path, token = /** @type {string} */ (tokens[0])) {
  const { Authorization, ...anonymous } = headersOf(String(token));
  const headers = token === null ? anonymous : { ...anonymous, Authorization };
  const response = await fetch(`http://127.0.0.1:${port}${path}`, { headers });
  return { status: response.status, type: response.headers.get('content-type'), text: await response.text() };
}
