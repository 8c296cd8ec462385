import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { buildProduct, controlOf, freePort, isWanted, runRounds, tableOfRounds } from '../harness/index.mjs';
import { notes } from './notes.mjs';
import { fastifyProject, fwProject, nestProject, TSX } from './projects.mjs';

/** @typedef {import('../harness/types.js').Goal} Goal */
/** @typedef {import('../harness/types.js').RunSettings} RunSettings */
/** @typedef {import('../harness/types.js').Subject} Subject */
/** @typedef {import('./projects.mjs').Project} Project */

const MODELS = 300;
const ROUTE = 'fw dev, a route';
const LARGE_ROUTE = `fw dev, a route among ${MODELS} models`;
const MODEL = `fw dev, a model of ${MODELS}`;
const TSX_WATCH = 'Fastify, tsx watch';
const NODE_WATCH = 'Fastify, node --watch';
const NEST = 'Nest, nest start --watch';
/** Node reads TypeScript by itself from 22.18 on; the devkit that Nest's command line stands on wants 22.12. */
const READS_TYPESCRIPT = Number(process.versions.node.split('.')[0]) >= 22;

/** @type {Readonly<Record<string, (folder: string) => Promise<Project>>>} */
const PROJECTS = {
  [ROUTE]: (folder) => fwProject(folder, 1, 'route'),
  [LARGE_ROUTE]: (folder) => fwProject(folder, MODELS, 'route'),
  [MODEL]: (folder) => fwProject(folder, MODELS, 'model'),
  [TSX_WATCH]: (folder) => fastifyProject(folder, [TSX, 'watch', 'server.ts']),
  ...(READS_TYPESCRIPT && {
    [NODE_WATCH]: (folder) => fastifyProject(folder, ['--watch', 'server.ts']),
    [NEST]: nestProject,
  }),
};
/** @type {Readonly<Record<string, Goal>>} */
const GOALS = { [ROUTE]: { atMost: 500 }, [LARGE_ROUTE]: { atMost: 500 }, [MODEL]: { atMost: 1000 } };

const FIRST_ANSWER_MS = 120_000;
const ANSWER_MS = 30_000;
/** Between two tries where nothing listens. */
const AGAIN_MS = 2;
/** A person looks at the answer before the next save; until then compilers that work beside have come to their end. */
const BETWEEN_SAVES_MS = 1500;

/** @type {import('../harness/types.js').Bench} */
export default {
  name: 'dev',
  title: 'From a save to the answer',
  measured: `Each subject is a project that its own command watches, all the while. One measurement is one save: from the moment when a source
file is written to the first answer that has what was written, asked again and again over the same port. Before it nothing is saved for ${BETWEEN_SAVES_MS / 1000} s.

fw has SQLite with \`schema: 'sync-dev'\` and checks types beside. With ${MODELS} models each has ten columns and two relations. A saved **route** answers
another number; a saved **model** has another property, and the answer is read from the module that was generated for it, after its column
was added to the table. The peers have a route and no models; tsx and Node check no types.`,
  peers: [
    {
      name: 'Fastify',
      packages: ['fastify', 'tsx'],
      configuration: '`tsx watch`; `node --watch` where Node reads TypeScript',
    },
    {
      name: 'Nest',
      packages: ['@nestjs/core', '@nestjs/cli', '@nestjs/platform-fastify', 'typescript'],
      configuration:
        '`nest start --watch` with its default compiler, on Node 22 and later, which its command line wants',
    },
  ],
  parts: [ROUTE, LARGE_ROUTE, MODEL, TSX_WATCH, NODE_WATCH, NEST],
  budgetSeconds: 60,
  notes,
  limits: `One machine. What a peer with ${MODELS} models of Prisma or Drizzle would take is not measured: their generators are commands of their own.`,
  measure,
};

/** @param {RunSettings} settings */
async function measure(settings) {
  buildProduct(settings);
  const folder = await mkdtemp(path.join(tmpdir(), 'fw-bench-dev-'));
  /** @type {Watched[]} */
  const started = [];
  try {
    const names = Object.keys(PROJECTS).filter((name) => isWanted(settings.only, name));
    for (const [index, name] of names.entries()) {
      const project = await /** @type {(folder: string) => Promise<Project>} */ (PROJECTS[name])(
        path.join(folder, String(index)),
      );
      started.push(await Watched.start(name, project));
      settings.log(`${name} is watched`);
    }
    return await tables(started, settings);
  } finally {
    await Promise.all(started.map((each) => each.stop()));
    await rm(folder, { recursive: true });
  }
}

/**
 * @param {readonly Watched[]} started
 * @param {RunSettings} settings
 */
async function tables(started, { rounds = 20, budgetSeconds, log }) {
  const subjects = started.map((each) => each.subject());
  const baseline = subjects.find(({ name }) => name === TSX_WATCH);
  const measured = await runRounds({
    subjects: baseline ? [...subjects, controlOf(baseline)] : subjects,
    ...{ rounds, budgetSeconds, log },
  });
  const rows = subjects.map(({ name }) => ({
    subject: name,
    values: measured.map((round) => Number(round[name]?.['answerMs'])),
    ...(GOALS[name] && { goal: GOALS[name] }),
  }));
  const absolute = { id: 'answer', title: 'From a save to the answer', unit: 'ms', rows };
  if (!baseline) return [absolute];
  const others = subjects.map(({ name }) => name).filter((name) => name !== TSX_WATCH);
  const beside = {
    baseline: TSX_WATCH,
    metric: 'answerMs',
    unit: 'ms',
    formula: /** @type {const} */ ('subject ÷ baseline'),
  };
  return [
    absolute,
    tableOfRounds(measured, { id: 'beside', title: `Next to ${TSX_WATCH}`, ...beside, subjects: others }),
  ];
}

/** A project, and the process that watches it. */
class Watched {
  #version = 0;

  /**
   * @param {string} name
   * @param {Project} project
   * @param {number} port
   * @param {import('node:child_process').ChildProcess} child
   */
  constructor(name, project, port, child) {
    this.name = name;
    this.project = project;
    this.port = port;
    this.child = child;
  }

  /** @type {(name: string, project: Project) => Promise<Watched>} */
  static async start(name, project) {
    const port = await freePort();
    const env = { ...process.env, PORT: String(port), FW_MCP_PORT: '0' };
    // A group of its own, because each watching process has others.
    const child = spawn(process.execPath, project.args, { cwd: project.folder, env, detached: true });
    child.stdin.end();
    let said = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text) => (said = `${said}${text}`.slice(-4000)));
    const watched = new Watched(name, project, port, child);
    try {
      await watched.#answers(FIRST_ANSWER_MS);
    } catch (cause) {
      await watched.stop();
      throw new Error(`${name} does not answer; it said:\n${said}`, { cause });
    }
    return watched;
  }

  /** @returns {Subject} */
  subject() {
    return {
      name: this.name,
      check: async () => void assert.ok(Number((await this.sample()).answerMs) > 0),
      sample: () => this.sample(),
    };
  }

  async sample() {
    await sleep(BETWEEN_SAVES_MS);
    const from = performance.now();
    await this.project.save(++this.#version);
    await this.#answers(ANSWER_MS);
    return { answerMs: performance.now() - from };
  }

  async stop() {
    if (this.child.exitCode !== null || this.child.pid === undefined) return;
    const ended = once(this.child, 'exit');
    process.kill(-this.child.pid, 'SIGKILL');
    await ended;
  }

  /** @param {number} withinMs */
  async #answers(withinMs) {
    const deadline = performance.now() + withinMs;
    let last;
    while (performance.now() < deadline) {
      if (this.child.exitCode !== null) throw new Error(`${this.name} ended with ${this.child.exitCode}.`);
      last = await answerAt(this.port, deadline - performance.now());
      if (last?.version === this.#version) return;
      await sleep(AGAIN_MS);
    }
    throw new Error(`${this.name} did not answer version ${this.#version} but ${JSON.stringify(last)}.`);
  }
}

/** @type {(port: number, withinMs: number) => Promise<{ version?: number } | undefined>} */
async function answerAt(port, withinMs) {
  const asked = { headers: { connection: 'close' }, signal: AbortSignal.timeout(Math.ceil(withinMs)) };
  try {
    const answer = await fetch(`http://127.0.0.1:${port}/`, asked);
    const text = await answer.text();
    return answer.ok ? JSON.parse(text) : undefined;
  } catch (error) {
    // Nobody listens between two processes of a peer.
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}
