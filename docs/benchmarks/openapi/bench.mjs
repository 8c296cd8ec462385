import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { buildProduct, PRODUCT_ROOT } from '../harness/index.mjs';

/** @typedef {import('../harness/types.js').RunSettings} RunSettings */

const ROUTES = 1000;
const REQUESTS = 25;
const SERVER = path.join(import.meta.dirname, 'server.mjs');

/** @type {import('../harness/types.js').Bench} */
export default {
  name: 'openapi',
  title: 'The OpenAPI document',
  measured: `A service of 1,000 routes in 25 groups, with path parameters, queries, bodies and outputs of their own schemas: nothing is
shared that a real service would not share. The document is about 0.9 MB of JSON and is made anew for every request.

**First** is the first request for \`/openapi.json\` of a fresh process, **later** the 25 after it. **Processor time** is what the
server process used for a request, all of its threads, sending included; it does not depend on what else the machine was doing.
**Duration** is from the request to the last byte of the answer, over HTTP on the same machine, read but not parsed. Before anything
counts, the document is checked: its version, its number of operations, and that two requests give the same bytes.`,
  peers: [{ name: 'fw', packages: [], configuration: 'the built framework, fw/http and fw/docs' }],
  budgetSeconds: 60,
  limits: `No peer takes part: the goal is absolute. Peers that make the document once, when they start, answer later requests from
memory; here it is made anew each time, so that it cannot be stale.`,
  measure,
};

/** @param {RunSettings} settings */
async function measure(settings) {
  buildProduct(settings);
  const { rounds = 8, log, budgetSeconds } = settings;
  const deadline = performance.now() + budgetSeconds * 1000;
  const project = await installed();
  /** @type {Requests[]} */
  const runs = [];
  for (let round = 0; round < rounds && (round < 3 || performance.now() < deadline); round++) {
    const run = await requestsTo(project);
    runs.push(run);
    log(
      `round ${round + 1}: first ${run.first.ms.toFixed(1)} ms, later ${run.later.cpuMs.toFixed(1)} ms of processor time`,
    );
  }
  await rm(project, { recursive: true });
  const title = `The document of ${ROUTES.toLocaleString('en')} routes`;
  return [
    {
      id: 'processor',
      title: `${title}: processor time`,
      unit: 'ms',
      rows: [
        { subject: 'first request of a process', values: runs.map(({ first }) => first.cpuMs) },
        { subject: 'later requests', values: runs.map(({ later }) => later.cpuMs), goal: { atMost: 50 } },
      ],
    },
    {
      id: 'duration',
      title: `${title}: duration over HTTP`,
      unit: 'ms',
      rows: [
        { subject: 'first request of a process', values: runs.map(({ first }) => first.ms) },
        { subject: 'later requests', values: runs.flatMap(({ later }) => later.ms) },
      ],
    },
  ];
}

/**
 * @typedef {object} Requests
 * @property {{ readonly ms: number, readonly cpuMs: number }} first
 * @property {{ readonly ms: readonly number[], readonly cpuMs: number }} later - processor time of one request
 */

// A project that depends on fw, as an application does.
async function installed() {
  const project = await mkdtemp(path.join(tmpdir(), 'fw-bench-openapi-'));
  await cp(SERVER, path.join(project, 'server.mjs'));
  await mkdir(path.join(project, 'node_modules'));
  await symlink(PRODUCT_ROOT, path.join(project, 'node_modules/fw'));
  return project;
}

/**
 * Requests the document of one fresh process, and again.
 *
 * @param {string} project
 * @returns {Promise<Requests>}
 */
async function requestsTo(project) {
  const child = spawn(process.execPath, ['server.mjs'], {
    cwd: project,
    env: { PATH: process.env['PATH'] ?? '', NODE_ENV: 'production' },
  });
  const ended = once(child, 'exit');
  try {
    const url = await addressOf(child);
    const processor = async () => {
      const answer = await fetch(`${url}/processor-time`);
      const { user, system } = /** @type {NodeJS.CpuUsage} */ (await answer.json());
      return (user + system) / 1000;
    };
    const timed = async () => {
      const from = performance.now();
      const text = await (await fetch(`${url}/openapi.json`)).text();
      return { ms: performance.now() - from, text };
    };
    const atStart = await processor();
    const first = await timed();
    const afterFirst = await processor();
    check(first.text);
    /** @type {number[]} */
    const ms = [];
    for (let request = 0; request < REQUESTS; request++) {
      const later = await timed();
      ms.push(later.ms);
      assert.equal(later.text, first.text);
    }
    const cpuMs = ((await processor()) - afterFirst) / REQUESTS;
    return { first: { ms: first.ms, cpuMs: afterFirst - atStart }, later: { ms, cpuMs } };
  } finally {
    child.kill('SIGTERM');
    await ended;
  }
}

/** @param {import('node:child_process').ChildProcessWithoutNullStreams} child */
async function addressOf(child) {
  for await (const line of createInterface(child.stdout)) {
    const url = /listening on (http:\S+)/.exec(line)?.[1];
    if (url !== undefined) return url;
  }
  throw new Error('The server ended before it listened.');
}

/** @param {string} text */
function check(text) {
  const { openapi, paths } = JSON.parse(text);
  assert.equal(openapi, '3.1.0');
  assert.equal(
    Object.values(paths).reduce((sum, item) => sum + Object.keys(item).length, 0),
    ROUTES,
  );
}
