import { spawnSync } from 'node:child_process';
import path from 'node:path';
import {
  AWAKE,
  buildProduct,
  controlName,
  CORES,
  isWanted,
  keepCoresAwake,
  runRounds,
  sampleStart,
  slicesInFreshProcesses,
} from '../harness/index.mjs';
import { prepareDatabases } from './databases.mjs';
import { notes } from './notes.mjs';
import { prepare } from './prepare.mjs';
import { READS, WRITES } from './workload.mjs';

/** @typedef {import('../harness/types.js').Goal} Goal */
/** @typedef {import('../harness/types.js').Pair} Pair */
/** @typedef {import('../harness/types.js').RowInput} RowInput */
/** @typedef {import('../harness/types.js').RunSettings} RunSettings */
/** @typedef {import('../harness/types.js').TableInput} TableInput */
/** @typedef {import('./databases.mjs').Engine} Engine */

const MODULE = new URL('subjects.mjs', import.meta.url).href;
const OPERATIONS = [...READS, ...WRITES];
const PRODUCT = 'fw';
const PEERS = ['drizzle:prepared', 'drizzle', 'kysely', 'prisma', 'typeorm', 'mikro'];
/** @type {import('../harness/types.js').Formula} */
const SPEED = 'baseline ÷ subject';
const ENGINES = { sqlite: 'SQLite', postgres: 'PostgreSQL', mariadb: 'MariaDB' };

/** Processes that fw is measured in, next to the driver: on a server it also matters which core answers, and how soon it wakes. */
const PROCESSES = { sqlite: 3, postgres: 4, mariadb: 4 };
/** Peers that come near on a server get more than one process, so that none is the fastest by chance. */
const NEAR = { names: ['drizzle:prepared', 'kysely'], processes: 2 };
/** Slices of fw and of the driver in each of them. */
const SLICES = { read: 20, write: 10 };
/** Starts of a process: two of them differ by more than what fw adds. */
const STARTS = { fw: 60, peers: 10 };
/** Milliseconds of a slice: SQLite writes its log back every ten to twenty, and each slice is to have its share of that. */
const SLICE = { read: 25, write: 100 };
/** Before the first slice of each: V8 compiles for good what was called some thousand times, which takes longer on a server. */
const WARM = {
  sqlite: { warmMs: 500 },
  postgres: { warmMs: 2000, warmCalls: 3000 },
  mariadb: { warmMs: 2000, warmCalls: 3000 },
};

/** Lowest speeds against the drivers, by engine and operation. */
const GOALS = {
  sqlite: {
    findById: 1,
    first: 1,
    select50: 1.4,
    find1000: 1.5,
    preload: 1.35,
    update: 0.9,
    create: 0.9,
    transaction: 0.85,
    batch: 1.1,
  },
  postgres: { ...everywhere(0.9), find1000: 1.2, batch: 1.2 },
  mariadb: everywhere(0.9),
};

/** @param {number} goal @returns {Record<string, number>} */
function everywhere(goal) {
  return Object.fromEntries(OPERATIONS.map((operation) => [operation, goal]));
}

/** @type {import('../harness/types.js').Bench} */
export default {
  name: 'orm',
  title: 'The ORM',
  measured: `Ten thousand users of eight columns (text, boolean, integer, float, nullable text, a date with milliseconds), and ten posts
for each of the first thousand. Every subject does the same on one connection, one call after the other:

| Operation | What |
|---|---|
| findById | one row by primary key |
| first | the first row of three conditions and an order |
| select50 | 50 rows of a range of an indexed column |
| find1000 | 1,000 rows of a range of the key |
| preload | 100 users with their 1,000 posts |
| update | two columns of one row |
| create | one row, its new id given back |
| transaction | two updates, the second in a savepoint |
| batch | 10,000 rows in one transaction |

The **baseline** is the driver with prepared statements and rows as objects, as its documentation shows it, with booleans and dates as
every subject gives them. \`raw:rows\` is the driver with positional rows and objects made by hand: as fast as it gets.
Baseline and subject run in one process in slices of ${SLICE.read} ms (writes: ${SLICE.write} ms) next to each other, the order swapped from pair to pair, ${SLICES.read} pairs a process (writes: ${SLICES.write});
${PROCESSES.sqlite} processes for fw, on a server ${PROCESSES.postgres}; one for each peer,
on a server ${NEAR.processes} for those that come near.
Before anything is timed, both have to give the same rows. ${CORES} Where that is allowed, the threads of the database
servers that answer are kept off that core too. ${AWAKE}

SQLite runs in write-ahead mode with \`synchronous=NORMAL\`; PostgreSQL with \`synchronous_commit=off\`, MariaDB with
\`innodb_flush_log_at_trx_commit=2\`: what is compared is the work of the client, not the disk.`,
  peers: [
    { name: 'raw', packages: ['better-sqlite3', 'pg', 'mysql2'], configuration: 'prepared statements' },
    {
      name: 'drizzle',
      packages: ['drizzle-orm'],
      configuration: 'on the same drivers; `drizzle:prepared` with its prepared queries',
    },
    {
      name: 'kysely',
      packages: ['kysely'],
      configuration: 'on the same drivers; booleans and dates fixed by hand where it leaves them',
    },
    {
      name: 'prisma',
      packages: ['@prisma/client', '@prisma/adapter-better-sqlite3', '@prisma/adapter-pg', '@prisma/adapter-mariadb'],
      configuration: 'driver adapters',
    },
    {
      name: 'typeorm',
      packages: ['typeorm'],
      configuration: 'EntitySchema; insert() and update() instead of save(); joins to preload',
    },
    {
      name: 'mikro',
      packages: ['@mikro-orm/core', '@mikro-orm/better-sqlite', '@mikro-orm/postgresql', '@mikro-orm/mariadb'],
      configuration: 'a fork per call; nativeUpdate, insert, insertMany',
    },
  ],
  parts: Object.keys(ENGINES).flatMap((engine) => [PRODUCT, ...PEERS].map((name) => `${engine}/${name}`)),
  budgetSeconds: 1500,
  notes,
  limits: `One connection and one caller: throughput under concurrency is not measured. Dates on SQLite are what each library stores:
ISO text for the driver, fw and Kysely, milliseconds for Drizzle and MikroORM (which are faster to read), texts of their own for TypeORM
and Prisma. Drizzle has no prepared form of \`transaction\` and \`batch\` and shows its ordinary one there; on MariaDB its relational
queries do not run, so its preload is two queries. No SQL Server takes part.

The goals for SQLite are made for better-sqlite3 12, which takes part on Node 20. From Node 22.14 on it is 13, which reads up to three times
as fast and makes objects about as fast as positional rows, so the ratios to the driver are others there. The SQLite part on
Node 24.21 with 13.2, on an Intel processor: findById 0.94, first 1.28, select50 1.10, find1000 1.13, preload 0.86, update 0.94,
create 0.90, transaction 0.81, batch 1.32; against positional rows by hand 0.95, 0.96, 1.14, 1.20, 0.92; as a multiple of the fastest peer
1.6, 1.3, 1.9, 1.3, 1.1, 1.0, 1.0, 5.3, 2.1. Ratios also depend on the processor: on that one with Node 20, reading by hand is itself 1.36
times as fast as the driver in preload.`,
  measure,
};

/** @param {RunSettings} settings */
async function measure(settings) {
  buildProduct(settings);
  await prepare();
  const { engines, missing, drop } = await prepareDatabases();
  for (const server of missing) settings.log(`not measured: ${server}`);
  try {
    const tables = await tablesOfAll(engines, settings);
    if (settings.only.length > 0) return tables;
    return [...tables, ...(await startTables(settings)), heapTable()];
  } finally {
    await drop();
  }
}

/** @type {(engines: readonly Engine[], settings: RunSettings) => Promise<TableInput[]>} */
async function tablesOfAll(engines, settings) {
  const letCoresHalt = keepCoresAwake();
  try {
    /** @type {TableInput[]} */
    const tables = [];
    for (const engine of engines) tables.push(...(await tablesOf(engine, settings)));
    return tables;
  } finally {
    letCoresHalt();
  }
}

/**
 * @param {Engine} engine
 * @param {RunSettings} settings
 * @returns {Promise<TableInput[]>}
 */
async function tablesOf(engine, { rounds, only, log }) {
  const wanted = (/** @type {string} */ name) => isWanted(only, `${engine}/${name}`);
  const pairsOf = async (
    /** @type {string} */ baseline,
    /** @type {string} */ subject,
    processes = PROCESSES[engine],
  ) => {
    if (subject === 'raw' ? ![PRODUCT, ...PEERS].some(wanted) : !wanted(subject)) return undefined;
    log(`${engine}: ${subject} against ${baseline}`);
    const job = {
      module: MODULE,
      baseline: `${engine}/${baseline}`,
      subject: `${engine}/${subject}`,
      processes,
      ...WARM[engine],
    };
    const slicesOf = (/** @type {'read' | 'write'} */ kind) => ({
      operations: kind === 'read' ? READS : WRITES,
      slices: (rounds ?? SLICES[kind]) * processes,
      sliceMs: SLICE[kind],
    });
    const read = await slicesInFreshProcesses({ ...job, ...slicesOf('read') });
    const isByHand = baseline !== 'raw';
    const written = isByHand ? {} : await slicesInFreshProcesses({ ...job, ...slicesOf('write') });
    const pairs = { ...read, ...written };
    return new Map(Object.entries(pairs).map(([operation, all]) => [operation, all.map(microseconds)]));
  };
  const control = await pairsOf('raw', 'raw');
  const fw = await pairsOf('raw', PRODUCT);
  const byHand = await pairsOf('raw:rows', PRODUCT);
  /** @type {Map<string, Map<string, Pair[]>>} */
  const peers = new Map();
  for (const peer of PEERS) {
    const isNear = engine !== 'sqlite' && NEAR.names.includes(peer);
    const pairs = await pairsOf('raw', peer, isNear ? NEAR.processes : 1);
    if (pairs) peers.set(peer, pairs);
  }
  const controls = rowsOf(controlName('raw'), control, () => ({ control: true }));
  const goals = /** @type {Record<string, number>} */ (GOALS[engine]);
  const name = ENGINES[engine];
  const against = { unit: 'µs', formula: SPEED };
  const fwRows = rowsOf(PRODUCT, fw, (operation) => ({ goal: { atLeast: /** @type {number} */ (goals[operation]) } }));
  const handRows = rowsOf(PRODUCT, byHand, () => ({ goal: { atLeast: 0.9 } }), READS);
  const peerRows = OPERATIONS.flatMap((operation) =>
    [...peers].flatMap(([peer, pairs]) => rowsOf(peer, pairs, () => ({}), [operation])),
  );
  return [
    {
      id: engine,
      title: `${name}: fw against the driver`,
      baseline: 'raw',
      ...against,
      rows: [...controls, ...fwRows],
    },
    {
      id: `${engine}-rows`,
      title: `${name}: fw against positional rows by hand`,
      baseline: 'raw:rows',
      ...against,
      rows: [...controls.filter(({ operation = '' }) => READS.includes(operation)), ...handRows],
    },
    {
      id: `${engine}-peers`,
      title: `${name}: peers against the driver`,
      baseline: 'raw',
      ...against,
      rows: [...controls, ...peerRows],
    },
    bestPeerTable(engine, fw, peers),
  ].filter(({ rows }) => rows.some(({ control }) => !control));
}

const microseconds = (/** @type {import('../harness/paired-slices.mjs').SlicePair} */ { baseline, subject }) =>
  /** @type {Pair} */ ([baseline.us, subject.us]);

/**
 * @param {string} name
 * @param {Map<string, Pair[]> | undefined} pairs
 * @param {(operation: string) => Partial<RowInput>} more
 * @param {readonly string[]} operations
 * @returns {RowInput[]}
 */
function rowsOf(name, pairs, more, operations = OPERATIONS) {
  return operations.flatMap((operation) => {
    const measured = pairs?.get(operation);
    return measured ? [{ subject: `${operation} · ${name}`, operation, pairs: measured, ...more(operation) }] : [];
  });
}

/**
 * How many times as fast as the fastest peer; by the ratios to the driver, which both were measured next to.
 *
 * @param {Engine} engine
 * @param {Map<string, Pair[]> | undefined} fw
 * @param {Map<string, Map<string, Pair[]>>} peers
 * @returns {TableInput}
 */
function bestPeerTable(engine, fw, peers) {
  const rows = OPERATIONS.flatMap((operation) => {
    const own = fw?.get(operation);
    const [best] = [...peers]
      .map(([peer, pairs]) => ({ peer, speed: middle((pairs.get(operation) ?? []).map(speed)) }))
      .filter(({ speed: each }) => !Number.isNaN(each))
      .sort((a, b) => b.speed - a.speed);
    if (!own || !best) return [];
    // Beyond noise: a peer is ahead when most pairs say so by more than a tenth.
    const values = own.map((pair) => speed(pair) / best.speed);
    return [{ subject: `${operation} · ${best.peer}`, values, goal: { atLeast: 0.9 } }];
  });
  return { id: `${engine}-best`, title: `${ENGINES[engine]}: fw as a multiple of the fastest peer`, unit: '×', rows };
}

const speed = (/** @type {Pair} */ [baseline, subject]) => baseline / subject;

/** @param {readonly number[]} values */
function middle(values) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

/**
 * From the spawn to the first row, and the memory then, on SQLite.
 *
 * @param {RunSettings} settings
 * @returns {Promise<TableInput[]>}
 */
async function startTables({ log }) {
  const start = path.join(import.meta.dirname, 'start.mjs');
  const env = { FW_BENCH_ORM_FILES: process.env['FW_BENCH_ORM_FILES'] ?? '' };
  const startOf = (/** @type {string} */ name) => {
    const sample = () => sampleStart({ args: [start, name], env, ready: /ready/ });
    return { name, sample, check: sample };
  };
  const measured = async (/** @type {string[]} */ names, /** @type {number} */ rounds) => {
    const subjects = ['raw', ...names].map(startOf);
    return { names, rounds: await runRounds({ subjects, rounds, budgetSeconds: 90, log }) };
  };
  const peers = ['drizzle', 'kysely', 'prisma', 'typeorm', 'mikro'];
  const both = [await measured([PRODUCT], STARTS.fw), await measured(peers, STARTS.peers)];
  const over = (/** @type {string} */ metric, /** @type {number} */ goal) =>
    both.flatMap(({ names, rounds }) =>
      names.map((name) => ({
        subject: name,
        values: rounds.map((round) => (round[name]?.[metric] ?? NaN) - (round['raw']?.[metric] ?? NaN)),
        ...(name === PRODUCT && { goal: { atMost: goal } }),
      })),
    );
  return [
    {
      id: 'start',
      title: 'SQLite: spawn to the first row, more than the driver alone',
      unit: 'ms',
      rows: over('readyMs', 20),
    },
    {
      id: 'memory',
      title: 'SQLite: resident memory then, more than the driver alone',
      unit: 'MiB',
      rows: over('rssMiB', 10),
    },
  ];
}

/** @returns {TableInput} */
function heapTable() {
  const heap = path.join(import.meta.dirname, 'heap.mjs');
  const rows = ['raw', PRODUCT, ...PEERS].map((name) => {
    const args = ['--expose-gc', '--min-semi-space-size=512', '--max-semi-space-size=512', heap, name];
    const { stdout, stderr } = spawnSync(process.execPath, args, {
      encoding: 'utf8',
      env: { ...process.env, NODE_ENV: 'production' },
    });
    const bytes = /([\d.]+) bytes/.exec(stdout)?.[1];
    if (bytes === undefined) throw new Error(`The heap of ${name} could not be measured: ${stderr}`);
    return { subject: name, values: [Number(bytes) / 1024], ...(name === PRODUCT && { goal: { atMost: 2 } }) };
  });
  return { id: 'heap', title: 'SQLite: heap that one findById allocates', unit: 'KiB', rows };
}
