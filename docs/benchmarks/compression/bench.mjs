import assert from 'node:assert/strict';
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import zlib from 'node:zlib';
import Koa from 'koa';
import { buildProduct, isWanted, PRODUCT_ROOT } from '../harness/index.mjs';
import { pairedSlices } from '../harness/paired-slices.mjs';
import { controlName } from '../harness/rounds.mjs';

/** @typedef {import('../harness/types.js').RunSettings} RunSettings */
/** @typedef {import('../harness/types.js').TableInput} TableInput */

const BASELINE = 'brotli of node:zlib';
const [WASM, GZIP, ITSELF] = ['brotli-wasm', 'gzip of node:zlib', 'node:zlib itself, brotli'];
const BODIES = [
  { id: '4k', title: 'A list of 4 KiB', bytes: 4 << 10 },
  { id: '32k', title: 'A list of 32 KiB, the largest that is compressed on the spot', bytes: 32 << 10 },
  { id: '512k', title: 'A list of 512 KiB, through the pool of encoders', bytes: 512 << 10 },
];

/** @type {import('../harness/types.js').Bench} */
export default {
  name: 'compression',
  title: 'The compression of bodies',
  measured: `The compression middleware of fw at its default levels (brotli 4, gzip 6), called with a context of Koa whose handler has
answered with JSON: a list of products with words, numbers and dates, which are drawn with a fixed seed. \`brotli: 'wasm'\` is the
middleware's other brotli, that of the package brotli-wasm. One measurement is one body, from the handler's return to the compressed
bytes. Next to it stands the same call of node:zlib without any middleware.

Subject and baseline take turns within one process, in slices of some 40 ms. Before anything is timed, each subject's bytes are
decompressed and compared with the body.`,
  peers: [
    {
      name: 'node:zlib',
      packages: [],
      configuration: "brotli and gzip of Node's own zlib, on this thread up to 32 KiB, else on its threads",
    },
    {
      name: 'brotli-wasm',
      packages: [],
      configuration: "by fw's option brotli: 'wasm'; always on the thread that asks",
    },
  ],
  parts: [WASM, GZIP, ITSELF],
  budgetSeconds: 90,
  limits: `brotli-wasm occupies the thread that serves, whatever the size: while it compresses, nothing else is answered. What a large body
costs there is paid by the requests beside it, which this page does not measure. It is for runtimes whose zlib has no brotli.`,
  measure,
};

/**
 * @typedef {object} Subject
 * @property {string} name
 * @property {() => Promise<Buffer> | Buffer} compress
 * @property {(compressed: Buffer) => Buffer} restore
 */

/** @param {RunSettings} settings */
async function measure(settings) {
  buildProduct(settings);
  const { rounds = 30, only, log, budgetSeconds } = settings;
  const file = path.join(PRODUCT_ROOT, 'dist/plugins/middleware/compression/index.js');
  const { compressionMiddleware } = await import(pathToFileURL(file).href);
  const wanted = (/** @type {Subject} */ { name }) => isWanted(only, name);
  const subjectsOf = (/** @type {string} */ body) => subjects(compressionMiddleware, body);
  const each = (budgetSeconds * 1000) / BODIES.length;
  /** @type {TableInput[]} */
  const times = [];
  /** @type {TableInput[]} */
  const sizes = [];
  for (const { id, title, bytes } of BODIES) {
    const body = listOf(bytes);
    const [baseline, ...others] = subjectsOf(body);
    if (baseline === undefined) throw new TypeError('There is no baseline.');
    const measured = [{ ...baseline, name: controlName(BASELINE) }, ...others.filter(wanted)];
    const plan = { slices: rounds, sliceMs: Math.min(40, each / measured.length / rounds / 2) };
    /** @type {TableInput['rows'][number][]} */
    const rows = [];
    /** @type {TableInput['rows'][number][]} */
    const sent = [];
    const least = (await checked(baseline, body)).length;
    for (const subject of measured) {
      const { length } = await checked(subject, body);
      const pairs = await pairedSlices({ baseline: baseline.compress, subject: subject.compress, ...plan });
      const control = subject.name === controlName(BASELINE);
      rows.push({
        subject: subject.name,
        ...(control && { control }),
        pairs: pairs.map((pair) => /** @type {const} */ ([pair.baseline.us, pair.subject.us])),
      });
      sent.push({ subject: subject.name, ...(control && { control }), pairs: [[least, length]] });
      log(`${title}: ${subject.name}`);
    }
    const common = { baseline: BASELINE, formula: /** @type {const} */ ('subject ÷ baseline') };
    times.push({ id: `time-${id}`, title: `${title}: time`, unit: 'us', ...common, rows });
    sizes.push({ id: `size-${id}`, title: `${title}: bytes sent`, unit: 'bytes', ...common, rows: sent });
  }
  return [...times, ...sizes];
}

/**
 * @param {Subject} subject
 * @param {string} body
 */
async function checked({ name, compress, restore }, body) {
  const compressed = await compress();
  assert.equal(restore(compressed).toString(), body, `${name} does not give the body back`);
  return compressed;
}

/**
 * The baseline first.
 *
 * @param {(options: object) => (context: Koa.Context, next: () => unknown) => unknown} compressionMiddleware
 * @param {string} body
 * @returns {readonly Subject[]}
 */
function subjects(compressionMiddleware, body) {
  const brotli = { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 4 } };
  const small = body.length <= 32 << 10;
  const brotliOf = promisify(zlib.brotliCompress);
  /** @type {(coding: string, options: object) => Subject['compress']} */
  const through = (coding, options) => {
    const middleware = compressionMiddleware(options);
    return () => answered(middleware, coding, body);
  };
  const { brotliDecompressSync: unbrotli, gunzipSync: gunzip } = zlib;
  return [
    { name: BASELINE, compress: through('br', {}), restore: unbrotli },
    { name: WASM, compress: through('br', { brotli: 'wasm' }), restore: unbrotli },
    { name: GZIP, compress: through('gzip', {}), restore: gunzip },
    {
      name: ITSELF,
      compress: () => (small ? zlib.brotliCompressSync(body, brotli) : brotliOf(body, brotli)),
      restore: unbrotli,
    },
  ];
}

const app = new Koa();

/**
 * The bytes of an answer.
 *
 * @param {(context: Koa.Context, next: () => unknown) => unknown} middleware
 * @param {string} coding
 * @param {string} body
 */
async function answered(middleware, coding, body) {
  const request = new IncomingMessage(new Socket());
  request.method = 'GET';
  request.headers['accept-encoding'] = coding;
  const context = app.createContext(request, new ServerResponse(request));
  await middleware(context, () => {
    context.type = 'application/json';
    context.body = body;
    return Promise.resolve();
  });
  assert.equal(context.response.get('Content-Encoding'), coding);
  return /** @type {Buffer} */ (context.body);
}

const WORDS =
  'oak walnut linen cotton lamp table chair shelf mirror carpet green blue plain striped small large round'.split(' ');

/**
 * JSON of about as many bytes, the same at every run.
 *
 * @param {number} bytes
 */
function listOf(bytes) {
  let state = 42;
  const random = (/** @type {number} */ below) => {
    // Numerical Recipes' linear congruential generator: the words need not be more random than that.
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32;
    return Math.floor((state / 2 ** 32) * below);
  };
  const words = (/** @type {number} */ count) =>
    Array.from({ length: count }, () => WORDS[random(WORDS.length)]).join(' ');
  const products = [];
  for (let length = 2; length < bytes;) {
    const made = new Date(Date.UTC(2025, random(12), 1 + random(28), random(24), random(60))).toISOString();
    /** @type {object} */
    const product = {
      id: products.length + 1,
      name: words(3),
      price: random(100_000) / 100,
      stock: random(500),
      made,
      text: words(12),
    };
    length += JSON.stringify(product).length + 1;
    products.push(product);
  }
  return JSON.stringify(products);
}
