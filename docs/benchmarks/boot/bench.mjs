import assert from 'node:assert/strict';
import { cp, mkdir, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import {
  besideFloor,
  buildProduct,
  controlOf,
  FLOOR,
  floorControl,
  isWanted,
  PRODUCT_ROOT,
  runRounds,
  sampleStart,
  tableOfRounds,
} from '../harness/index.mjs';
import { bundled } from './bundle-peers.mjs';
import { notes } from './notes.mjs';

/** @typedef {import('../harness/types.js').Subject} Subject */
/** @typedef {import('../harness/types.js').RunSettings} RunSettings */

const PRODUCT = 'fw';
const STARTED = 'fw start';
const PEERS = ['koa', 'fastify', 'express', 'hono', 'nest'];
/** @type {Readonly<Record<string, import('../harness/types.js').Goal>>} */
const GOALS = { [PRODUCT]: { atMost: 3.2 } };
/** @type {import('../harness/types.js').Formula} */
const COST = 'subject ÷ baseline';
const READY = /(http:\/\/127\.0\.0\.1:\d+)/;

/** @type {import('../harness/types.js').Bench} */
export default {
  name: 'boot',
  title: 'Start of a process',
  measured: `Every number is one fresh process with \`NODE_ENV=production\`, measured from outside: from the spawn to the end of
\`node -e 0\` (the floor), or from the spawn to the line that says the server listens, and on to the first 200. The floor is measured
right before and right after each of the others; the ratio is that to the mean of the two. Every server listens on a free port of
127.0.0.1 and has one route, \`GET /hello/:name\`, that answers \`{"hello":"world"}\` as JSON. Before anything is timed, each one has to
give that answer with that content type, and a 404 for another path. Memory and processor time (all live threads) are read from the
operating system right after the first answer.

\`fw\` is the built framework (\`dist/\`) in a project of its own with the plugin \`http\` and one plugin with the route;
\`fw start\` is the same project started by the command line. Peers are measured as installed and, because fw ships as a bundle, once
more as one file that esbuild made with the same settings (\`bundled\`).`,
  peers: [
    { name: 'koa', packages: ['koa', '@koa/router'], configuration: 'router and allowedMethods' },
    { name: 'fastify', packages: ['fastify'], configuration: 'no logger, no response schema' },
    { name: 'express', packages: ['express'], configuration: 'etag and x-powered-by off' },
    { name: 'hono', packages: ['hono', '@hono/node-server'], configuration: 'defaults' },
    {
      name: 'nest',
      packages: ['@nestjs/core', '@nestjs/common', '@nestjs/platform-fastify', 'reflect-metadata'],
      configuration: 'Fastify adapter, no logger, decorators already compiled',
    },
  ],
  parts: [PRODUCT, STARTED, ...PEERS.flatMap((name) => [name, `${name}, bundled`])],
  budgetSeconds: 90,
  notes,
  limits: `One machine, whose other users come and go: read ratios, not milliseconds. Files are in the page cache; a first start after a
boot of the machine is slower for everybody, and slowest for whoever reads most files. No V8 compile cache is used by any subject.`,
  measure,
};

/** @param {RunSettings} settings */
async function measure(settings) {
  buildProduct(settings);
  const folder = await mkdtemp(path.join(tmpdir(), 'fw-bench-boot-'));
  try {
    return await measureIn(folder, settings);
  } finally {
    await rm(folder, { recursive: true });
  }
}

/**
 * @param {string} folder
 * @param {RunSettings} settings
 */
async function measureIn(folder, { rounds = 25, budgetSeconds, only, log }) {
  const all = [...(await product(folder)), ...(await peers(folder))];
  const servers = all.filter(({ name }) => isWanted(only, name));
  const withControl = servers.flatMap((each) => (each.name === PRODUCT ? [each, controlOf(each)] : [each]));
  const subjects = [floorControl(['readyMs', 'answerMs']), ...withControl];
  const measured = await runRounds({ subjects, rounds, budgetSeconds, log });
  return tables(
    measured,
    servers.map(({ name }) => name),
  );
}

/**
 * @param {readonly import('../harness/types.js').Round[]} measured
 * @param {readonly string[]} names
 */
function tables(measured, names) {
  const overFloor = {
    baseline: FLOOR,
    besideMetric: 'floorMs',
    unit: 'ms',
    formula: COST,
    subjects: names,
    goals: GOALS,
  };
  const times = [
    tableOfRounds(measured, { ...overFloor, id: 'listening', title: 'Spawn to listening', metric: 'readyMs' }),
    tableOfRounds(measured, { ...overFloor, id: 'first-answer', title: 'Spawn to first answer', metric: 'answerMs' }),
  ];
  if (!names.includes(PRODUCT)) return times;
  const overProduct = { baseline: PRODUCT, formula: COST, subjects: names.filter((name) => name !== PRODUCT) };
  const cpu = { id: 'cpu', title: 'Processor time to the first answer', metric: 'cpuMs', unit: 'ms' };
  const memory = { id: 'memory', title: 'Resident memory at the first answer', metric: 'rssMiB', unit: 'MiB' };
  return [
    ...times,
    tableOfRounds(measured, { ...overProduct, ...cpu }),
    tableOfRounds(measured, { ...overProduct, ...memory }),
  ];
}

/**
 * A project outside the repository, with the framework where npm would put it.
 *
 * @param {string} folder
 */
async function product(folder) {
  const project = path.join(folder, 'project');
  await cp(new URL('fw-app/', import.meta.url), project, { recursive: true });
  await mkdir(path.join(project, 'node_modules'));
  await symlink(PRODUCT_ROOT, path.join(project, 'node_modules/fw'), 'dir');
  const bin = path.join(PRODUCT_ROOT, 'dist/kernel/bin/fw.js');
  return [
    server(PRODUCT, [path.join(project, 'server.mjs')]),
    server(STARTED, [bin, 'start', '--config', path.join(project, 'app.config.mjs')]),
  ];
}

/** @param {string} folder */
async function peers(folder) {
  const subjects = [];
  for (const name of PEERS) {
    const file = path.join(import.meta.dirname, `subjects/${name}.mjs`);
    subjects.push(server(name, [file]), server(`${name}, bundled`, [await bundled(file, folder)]));
  }
  return subjects;
}

/**
 * @param {string} name
 * @param {readonly string[]} args
 * @returns {Subject}
 */
function server(name, args) {
  const launch = { args, ready: READY };
  const hello = { ...launch, url: at('/hello/world'), verify: verifyHello };
  const check = async () => {
    await sampleStart(hello);
    await sampleStart({ ...launch, url: at('/nothing'), verify: ({ status }) => assert.equal(status, 404) });
  };
  return { name, check, sample: () => besideFloor(() => sampleStart(hello)) };
}

/**
 * @param {string} target
 * @returns {(match: RegExpExecArray) => string}
 */
function at(target) {
  return (match) => `${match[1]}${target}`;
}

/** @param {import('../harness/fresh-process.mjs').Answer} answer */
function verifyHello({ status, headers, body }) {
  assert.equal(status, 200);
  assert.match(headers['content-type'] ?? '', /^application\/json/);
  assert.deepEqual(JSON.parse(body), { hello: 'world' });
}
