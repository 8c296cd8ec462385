import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import {
  besideFloor,
  buildProduct,
  controlOf,
  FLOOR,
  floorControl,
  PRODUCT_ROOT,
  runRounds,
  sampleStart,
  tableOfRounds,
} from '../harness/index.mjs';
import { connect, HANDSHAKE } from './session.mjs';

/** @typedef {import('../harness/types.js').RunSettings} RunSettings */
/** @typedef {import('../harness/types.js').Subject} Subject */
/** @typedef {import('../harness/types.js').TableInput} TableInput */

const PRODUCT = 'fw-mcp';
const PEER = 'SDK server';
const CALLS = 2000;
const LISTED = /"id":2,.*"tools":\[|"tools":\[.*"id":2\b/;

/** @type {import('../harness/types.js').Bench} */
export default {
  name: 'mcp',
  title: 'The control plane',
  measured: `\`fw-mcp --mode generator\` with all of its tools, next to a server of 40 tools written with the SDK as its documentation
shows it. **Start** is a fresh process: from the spawn to the answer of \`tools/list\`, the handshake and the request being on standard
input from the beginning. The floor, \`node -e 0\`, is measured right before and right after. Memory is read from the operating system
right after that answer. **Calls** are \`tools/call\` one after the other over the same pipe, from the write to the parsed answer; fw
answers \`fw_features\`, the SDK's server joins two strings. Before anything is timed, both have to list their tools, and to answer a
call without an error.`,
  peers: [
    {
      name: PEER,
      packages: ['@modelcontextprotocol/sdk', 'zod'],
      configuration: 'McpServer, registerTool with zod schemas, stdio',
    },
  ],
  budgetSeconds: 60,
  limits: `The tools are not the same ones: what is compared is what a user waits for and pays in memory before the first tool runs.`,
  measure,
};

/** @param {RunSettings} settings */
async function measure(settings) {
  buildProduct(settings);
  const workspace = await mkdtemp(path.join(tmpdir(), 'fw-bench-mcp-'));
  try {
    const servers = serversIn(workspace);
    return [...(await startTables(servers, settings)), await callTable(servers)];
  } finally {
    await rm(workspace, { recursive: true });
  }
}

/**
 * @typedef {object} Server
 * @property {string} name
 * @property {readonly string[]} args
 * @property {string} cwd
 * @property {string} tool
 * @property {object} given
 */

/** @param {string} workspace @returns {Server[]} */
function serversIn(workspace) {
  const bin = path.join(PRODUCT_ROOT, 'dist/plugins/mcp/bin/fw-mcp.js');
  return [
    { name: PRODUCT, args: [bin, '--mode', 'generator'], cwd: workspace, tool: 'fw_features', given: {} },
    {
      name: PEER,
      args: [path.join(import.meta.dirname, 'sdk-server.mjs')],
      cwd: workspace,
      tool: 'tool_1',
      given: { path: 'a', name: 'b' },
    },
  ];
}

/** @param {Server} server @returns {Subject} */
function subjectOf(server) {
  const { name, args, cwd } = server;
  const sample = () => sampleStart({ args, cwd, input: HANDSHAKE, ready: LISTED });
  return { name, check: () => checked(server), sample: () => besideFloor(sample) };
}

/** @param {Server} server */
async function checked({ args, cwd, tool, given }) {
  const session = await connect(args, cwd);
  assert.ok(session.tools.length >= 30, `${session.tools.length} tools`);
  const { result } = await session.call(tool, given);
  assert.notEqual(result.isError, true);
  await session.close();
}

/**
 * @param {readonly Server[]} servers
 * @param {RunSettings} settings
 * @returns {Promise<TableInput[]>}
 */
async function startTables(servers, { rounds = 20, budgetSeconds, log }) {
  const all = servers.map(subjectOf);
  const [product, peer] = /** @type {[Subject, Subject]} */ (all);
  const subjects = [floorControl(['readyMs']), product, peer, controlOf(peer)];
  const measured = await runRounds({ subjects, rounds, budgetSeconds, log });
  const start = { title: 'Spawn to the list of tools', metric: 'readyMs', unit: 'ms' };
  const cost = /** @type {const} */ ({ formula: 'subject ÷ baseline' });
  return [
    tableOfRounds(measured, {
      ...start,
      ...cost,
      id: 'start-floor',
      title: `${start.title}, over the floor`,
      baseline: FLOOR,
      besideMetric: 'floorMs',
      subjects: [PRODUCT, PEER],
      goals: { [PRODUCT]: { atMost: 2.1 } },
    }),
    tableOfRounds(measured, {
      ...start,
      ...cost,
      id: 'start-peer',
      title: `${start.title}, next to the SDK's server`,
      baseline: PEER,
      subjects: [PRODUCT],
      goals: { [PRODUCT]: { atMost: 0.6 } },
    }),
    {
      id: 'memory',
      title: 'Resident memory then',
      unit: 'MiB',
      rows: [PRODUCT, PEER].map((name) => ({
        subject: name,
        values: measured.map((round) => round[name]?.['rssMiB'] ?? Number.NaN),
        ...(name === PRODUCT && { goal: { atMost: 55 } }),
      })),
    },
  ];
}

/** @param {readonly Server[]} servers @returns {Promise<TableInput>} */
async function callTable(servers) {
  const rows = [];
  for (const { name, args, cwd, tool, given } of servers) {
    const session = await connect(args, cwd);
    /** @type {number[]} */
    const values = [];
    for (let call = 0; call < CALLS; call++) {
      const from = performance.now();
      await session.call(tool, given);
      // The first quarter is for the compilers.
      if (call >= CALLS / 4) values.push(performance.now() - from);
    }
    await session.close();
    rows.push({ subject: name, values, ...(name === PRODUCT && { goal: { atMost: 0.3 } }) });
  }
  return { id: 'calls', title: 'tools/call over standard input and output', unit: 'ms', rows };
}
