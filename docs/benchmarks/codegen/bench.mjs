import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { buildProduct, jsonLines, PRODUCT_ROOT, sampleStart } from '../harness/index.mjs';
import { makeProject, modelFile, modelText } from './make-project.mjs';

/** @typedef {import('../harness/types.js').RowInput} RowInput */
/** @typedef {import('../harness/types.js').RunSettings} RunSettings */
/** @typedef {import('../harness/types.js').TableInput} TableInput */

const FW = path.join(PRODUCT_ROOT, 'dist/kernel/bin/fw.js');
const TSC = path.join(PRODUCT_ROOT, 'node_modules/typescript/bin/tsc');
const MODELS = 300;
const SIZES = [10, 100, MODELS];
const CHANGES = 20;
const COMMAND_TIMEOUT_MS = 120_000;

/** @type {import('../harness/types.js').Bench} */
export default {
  name: 'codegen',
  title: 'Code generation',
  measured: `The input is a project of generated models: ten columns each, with rules, and two relations that close a ring, so that
preload paths reach three models deep. Every model is also used once: a query with typed conditions, an order and a preloaded
relation, an update and an insert.

**Runs** are fresh processes of \`fw codegen\`, from the spawn to the end. "Cold" starts without \`generated/\` and without memory of
an earlier run; "unchanged" runs a second time. **Watch** is one process of \`fw codegen --watch\`: from the moment when a model file is
written (a column renamed and back) to the line that says the generated files are on the disk. **Types** are what
\`tsc --extendedDiagnostics\` counts for the whole project, generated code included, less what it counts for a project with one model,
divided by the further models; instantiations and types are the same in every run, time is not.

Before anything is timed, the largest project has to have a generated module per model and to pass \`tsc\` without an error.`,
  peers: [{ name: 'fw', packages: [], configuration: 'the built framework, all generators' }],
  budgetSeconds: 110,
  limits: `No peer takes part: the goals are absolute, and no peer generates the same things. The routes of the project are none; what
validators cost is not in these numbers. Times are those of one machine with whatever else it was doing (see its load above).`,
  measure,
};

/** @param {RunSettings} settings */
async function measure(settings) {
  buildProduct(settings);
  buildTypes(settings);
  const folder = await mkdtemp(path.join(tmpdir(), 'fw-bench-codegen-'));
  try {
    const projects = await makeProjects(folder);
    await check(projectOf(projects, MODELS));
    const deadline = performance.now() + settings.budgetSeconds * 1000;
    const watch = await watchTable(projectOf(projects, MODELS), settings);
    const types = await typeTables(projects, settings);
    return [await runTable(projects, settings, deadline), watch, ...types];
  } finally {
    await rm(folder, { recursive: true });
  }
}

// What the declarations are worth is shown by the check below; an error in a test file does not concern it.
/** @param {RunSettings} settings */
function buildTypes({ build }) {
  const declarations = path.join(PRODUCT_ROOT, 'dist/types/plugins/orm/index.d.ts');
  if (build || !existsSync(declarations)) run([TSC, '--project', 'kernel/build/tsconfig.types.json'], PRODUCT_ROOT);
  if (!existsSync(declarations))
    throw new Error('The product has no type declarations, so there is nothing to check against.');
}

/** @param {string} folder */
async function makeProjects(folder) {
  /** @type {Map<number, string>} */
  const projects = new Map();
  for (const models of [1, ...SIZES]) {
    const project = path.join(folder, String(models));
    await makeProject(project, models);
    const { status, stderr } = run([FW, 'codegen'], project);
    assert.equal(status, 0, stderr);
    projects.set(models, project);
  }
  return projects;
}

/**
 * @param {Map<number, string>} projects
 * @param {number} models
 */
const projectOf = (projects, models) => /** @type {string} */ (projects.get(models));

/** @param {string} project */
async function check(project) {
  const generated = await readdir(path.join(project, 'generated'));
  assert.equal(generated.filter((name) => /^item-?\d+\.ts$/.test(name)).length, MODELS);
  const { status, stdout } = run([TSC, '-p', '.'], project);
  assert.equal(status, 0, stdout);
}

/**
 * @param {Map<number, string>} projects
 * @param {RunSettings} settings
 * @param {number} deadline - no round begins after it, once there are three
 * @returns {Promise<TableInput>}
 */
async function runTable(projects, { rounds = 5, log }, deadline) {
  /** @type {Map<string, number[]>} */
  const values = new Map();
  const note = (/** @type {string} */ subject, /** @type {number} */ ms) =>
    values.set(subject, [...(values.get(subject) ?? []), ms]);
  for (let round = 0; round < rounds && (round < 3 || performance.now() < deadline); round++) {
    for (const models of SIZES) note(`${models} models, cold`, await codegenMs(projectOf(projects, models), true));
    note(UNCHANGED, await codegenMs(projectOf(projects, MODELS), false));
    note(CHECK, await codegenMs(projectOf(projects, MODELS), false, ['--check']));
    log(`runs: round ${round + 1}`);
  }
  const rows = [...values].map(([subject, each]) => ({
    subject,
    values: each,
    ...(subject === COLD && { goal: { atMost: 5000 } }),
  }));
  return { id: 'runs', title: 'Runs of fw codegen', unit: 'ms', rows };
}

const COLD = `${MODELS} models, cold`;
const UNCHANGED = `${MODELS} models, unchanged`;
const CHECK = `${MODELS} models, --check`;

/**
 * @param {string} project
 * @param {boolean} cold
 * @param {readonly string[]} [options]
 */
async function codegenMs(project, cold, options = []) {
  if (cold) {
    await rm(path.join(project, 'generated'), { recursive: true });
    await rm(path.join(project, 'node_modules/.cache'), { recursive: true, force: true });
  }
  const start = await sampleStart({
    args: [FW, 'codegen', ...options],
    cwd: project,
    timeoutMs: COMMAND_TIMEOUT_MS,
  });
  return Number(start['exitMs']);
}

/**
 * @param {string} project
 * @param {RunSettings} settings
 * @returns {Promise<TableInput>}
 */
async function watchTable(project, { log }) {
  const child = spawn(process.execPath, [FW, 'codegen', '--watch', '--json'], { cwd: project });
  const next = jsonLines(child.stdout);
  const file = path.join(project, modelFile(7));
  const text = modelText(7, MODELS);
  const other = text.replace('note,nullable', 'remark,nullable');
  /** @type {number[]} */
  const values = [];
  try {
    assert.equal((await next()).ok, true);
    for (let change = 0; change < CHANGES; change++) {
      const from = performance.now();
      await writeFile(file, change % 2 === 0 ? other : text);
      const { written } = await next();
      values.push(performance.now() - from);
      assert.ok(written.includes('generated/item7.ts'), `written: ${written}`);
      const expected = change % 2 === 0 ? "'remark'" : "'note'";
      assert.ok((await readFile(path.join(project, 'generated/item7.ts'), 'utf8')).includes(expected));
    }
  } finally {
    child.kill('SIGINT');
  }
  log(`watch: ${values.length} changes`);
  const rows = [{ subject: `one of ${MODELS} models changed`, values, goal: { atMost: 300 } }];
  return { id: 'watch', title: 'One change under watch', unit: 'ms', rows };
}

/**
 * @param {Map<number, string>} projects
 * @param {RunSettings} settings
 * @returns {Promise<TableInput[]>}
 */
async function typeTables(projects, { log }) {
  const base = diagnosticsOf(projectOf(projects, 1));
  const measured = SIZES.map((models) => {
    const counts = diagnosticsOf(projectOf(projects, models));
    log(`types: ${models} models`);
    const perModel = (/** @type {keyof typeof counts} */ key) => (counts[key] - base[key]) / (models - 1);
    return {
      models,
      instantiations: perModel('instantiations'),
      types: perModel('types'),
      checkMs: perModel('checkMs'),
    };
  });
  const [first, last] = [measured[0], measured.at(-1)];
  if (!first || !last) throw new Error('No project was measured.');
  /** @type {(key: 'instantiations' | 'types' | 'checkMs') => RowInput[]} */
  const rows = (key) => measured.map((each) => ({ subject: `${each.models} models`, values: [each[key]] }));
  const growth = { goal: { atMost: 1.02 } };
  return [
    { id: 'instantiations', title: 'Type instantiations per model', unit: 'per model', rows: rows('instantiations') },
    { id: 'types', title: 'Types per model', unit: 'per model', rows: rows('types') },
    { id: 'check', title: 'Time of the type check per model', unit: 'ms', rows: rows('checkMs') },
    {
      id: 'growth',
      title: `Cost per model with ${last.models} models, over that with ${first.models}`,
      unit: 'times',
      rows: [
        { subject: 'instantiations', values: [last.instantiations / first.instantiations], ...growth },
        { subject: 'types', values: [last.types / first.types], ...growth },
      ],
    },
  ];
}

/** @param {string} project */
function diagnosticsOf(project) {
  const { status, stdout } = run([TSC, '-p', '.', '--extendedDiagnostics'], project);
  assert.equal(status, 0, stdout);
  const read = (/** @type {string} */ name) => Number(new RegExp(`^${name}:\\s+([\\d.]+)`, 'm').exec(stdout)?.[1]);
  return { instantiations: read('Instantiations'), types: read('Types'), checkMs: read('Check time') * 1000 };
}

/**
 * @param {readonly string[]} args - of Node
 * @param {string} cwd
 */
function run(args, cwd) {
  return spawnSync(process.execPath, args, { cwd, encoding: 'utf8', timeout: COMMAND_TIMEOUT_MS });
}
