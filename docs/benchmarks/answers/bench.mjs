import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import fastJsonStringify from 'fast-json-stringify';
import { isWanted, PRODUCT_ROOT } from '../harness/index.mjs';
import { pairedSlices } from '../harness/paired-slices.mjs';
import { controlName } from '../harness/rounds.mjs';

/** @typedef {import('../harness/types.js').RunSettings} RunSettings */
/** @typedef {import('../harness/types.js').TableInput} TableInput */

const BASELINE = 'JSON.stringify';
const [FW, GENERATED] = ['fw', 'fast-json-stringify'];

const text = { type: 'string' };
const date = { type: 'string', format: 'date-time' };
const User = objectOf({
  id: { type: 'integer' },
  name: text,
  email: text,
  age: { type: 'integer' },
  active: { type: 'boolean' },
  city: text,
  score: { type: 'number' },
});
const Order = objectOf({ ...User.properties, created: date, changed: date });
const Post = objectOf({ id: { type: 'integer' }, title: text, text, created: date, author: User });

const SHAPES = [
  { id: 'user', title: 'One user of seven members', schema: User, value: userOf(1) },
  { id: 'users', title: '100 users', schema: listOf(User), value: Array.from({ length: 100 }, (_, at) => userOf(at)) },
  {
    id: 'orders',
    title: '100 orders with two dates each',
    schema: listOf(Order),
    value: Array.from({ length: 100 }, (_, at) => ({ ...userOf(at), created: dateOf(at), changed: dateOf(at * 7) })),
  },
  {
    id: 'posts',
    title: '20 posts with a text, a date and an author',
    schema: listOf(Post),
    value: Array.from({ length: 20 }, (_, at) => ({
      id: at,
      title: `Title ${at}`,
      text: 'All the words that somebody wrote, and "more" of them. '.repeat(8),
      created: dateOf(at),
      author: userOf(at),
    })),
  },
];

const NOTE = `The filter looks at the name and the value of each member before V8 writes it, and without dates there is nothing that it saves
V8: from Node 24 on no JavaScript writes such members quicker than \`JSON.stringify\` (decision 0009).`;

/** @type {import('../harness/types.js').Bench} */
export default {
  name: 'answers',
  title: 'Answers as JSON',
  measured: `What a route with a declared output does between its handler's value and the JSON text: the filter that lets only declared members
leave, and \`JSON.stringify\` behind it. Next to it stand \`JSON.stringify\` alone, which sends everything, and the function that
fast-json-stringify generates of the same schema, which takes values for what the schema says. All of the values are declared.

Subject and baseline take turns within one process, in slices of some 40 ms. Before anything is timed, each subject's text is compared.`,
  peers: [
    { name: BASELINE, packages: [], configuration: 'the value alone' },
    { name: GENERATED, packages: ['fast-json-stringify'], configuration: 'its defaults' },
  ],
  parts: [FW, GENERATED],
  budgetSeconds: 40,
  notes: {
    'user/fw': NOTE,
    'users/fw': NOTE,
  },
  limits: `Values that differ from their schema, which fast-json-stringify changes and fw sends as they are, take part in no number.`,
  measure,
};

/** @param {RunSettings} settings */
async function measure({ rounds = 30, only, log, budgetSeconds }) {
  const textOf = await answersOfFw();
  const each = (budgetSeconds * 1000) / SHAPES.length;
  /** @type {TableInput[]} */
  const tables = [];
  for (const { id, title, schema, value } of SHAPES) {
    const baseline = () => JSON.stringify(value);
    const generated = fastJsonStringify(/** @type {import('fast-json-stringify').Schema} */ (schema));
    const subjects = [
      { name: controlName(BASELINE), write: baseline },
      { name: FW, write: textOf(schema, value) },
      { name: GENERATED, write: () => generated(value) },
    ].filter(({ name }) => name === controlName(BASELINE) || isWanted(only, name));
    const sliceMs = Math.min(40, each / subjects.length / rounds / 2);
    /** @type {TableInput['rows'][number][]} */
    const rows = [];
    for (const { name, write } of subjects) {
      assert.equal(write(), baseline(), `${name} writes something else`);
      const pairs = await pairedSlices({ baseline, subject: write, slices: rounds, sliceMs });
      rows.push({
        subject: name,
        ...(write === baseline && { control: true }),
        ...(name === FW && /** @type {const} */ ({ goal: { atMost: 1 } })),
        pairs: pairs.map((pair) => /** @type {const} */ ([pair.baseline.us, pair.subject.us])),
      });
      log(`${title}: ${name}`);
    }
    tables.push({ id, title, unit: 'us', baseline: BASELINE, formula: 'subject ÷ baseline', rows });
  }
  return tables;
}

/**
 * The filter and the writer of the http plugin, which is bundled here because it gives them to routes alone.
 *
 * @returns {Promise<(schema: object, value: object) => () => string>}
 */
async function answersOfFw() {
  const folder = mkdtempSync(path.join(PRODUCT_ROOT, 'node_modules/.fw-answers-'));
  try {
    const outfile = path.join(folder, 'answers.mjs');
    const contents = `export { outputFilterOf } from './plugins/http/output/output-filter.ts';
export { jsonText } from './kernel/schema/json-text.ts';`;
    const stdin = { contents, resolveDir: PRODUCT_ROOT };
    const how = /** @type {const} */ ({ bundle: true, platform: 'node', format: 'esm', packages: 'external' });
    await build({ stdin, outfile, ...how, conditions: ['fw-source'], logLevel: 'warning' });
    const { outputFilterOf, jsonText } = await import(pathToFileURL(outfile).href);
    return (schema, value) => {
      const filter = outputFilterOf(schema);
      return () => jsonText(filter(value));
    };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** @param {Readonly<Record<string, object>>} properties */
function objectOf(properties) {
  return { type: 'object', required: Object.keys(properties), properties };
}

/** @param {object} items */
function listOf(items) {
  return { type: 'array', items };
}

/** @param {number} at */
function userOf(at) {
  const name = `Ada Lovelace ${at}`;
  return {
    id: at,
    name,
    email: `ada${at}@example.com`,
    age: 20 + at,
    active: at % 2 === 0,
    city: 'London',
    score: at * 1.5,
  };
}

/** @param {number} at */
function dateOf(at) {
  return new Date(1_700_000_000_000 + at * 86_461_001);
}
