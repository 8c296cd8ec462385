import { Readable, type Stream } from 'node:stream';
import {
  afterNext,
  countersEnabled,
  direct,
  HitCounter,
  type HttpContext,
  ok,
  type ProbeReport,
} from '../../../kernel/index.js';
import {
  type Encoding,
  ENCODINGS,
  knownBody,
  negotiateEncoding,
  type ProbedMiddleware,
  replaceBody,
  varyBy,
  withProbe,
} from '../../http/index.js';
import { brotliWasmEncoder } from './brotli-wasm-encoder.js';
import { isCompressible } from './compressible.js';
import { brotliEncoder, deflateEncoder, type Encoder, gzipEncoder } from './encoder.js';
import { EncoderPool } from './encoder-pool.js';
import type { CompressionOptions } from './options.js';

/** Bodies up to this many bytes are compressed on the spot: a thread hop would cost more. */
const SYNC_BYTES = 32_768;
/** Below this saving the probe says that compression hardly pays. */
const POOR_SAVING = 0.05;

type Pools = Readonly<Record<Encoding, EncoderPool>>;

/**
 * Compresses finished bodies: brotli, gzip or deflate by what the client accepts (SPEC "Middleware chain", 9). Untouched
 * are bodies that are tiny, encoded already or of a type that does not shrink, 204, 206, 304, HEAD and `no-transform`.
 * `Vary` always names Accept-Encoding.
 */
export function compressionMiddleware(options: CompressionOptions = {}): ProbedMiddleware {
  const { threshold = 1024 } = options;
  const pools = poolsOf(options);
  const counter = new HitCounter({ hit: 'compressed', miss: 'passed_through' });
  const used: Record<Encoding, number> = { br: 0, gzip: 0, deflate: 0 };
  const note = (encoding: Encoding | undefined, sizes: Sizes | undefined) => {
    if (encoding === undefined || sizes === undefined) return counter.miss();
    counter.hit(sizes.after, sizes.before - sizes.after);
    if (countersEnabled()) used[encoding]++;
  };
  const addVary = varyBy('Accept-Encoding');
  const compression = direct(function compression(context, next) {
    // What the request said when it came in, whatever the handler makes of it.
    const accepted = context.req.method === 'HEAD' ? undefined : encodingFor(context);
    return afterNext(next, () => {
      if (context.headerSent || context.respond === false) return undefined;
      addVary(context.res);
      const sizes = accepted && compress(context, accepted, pools[accepted], threshold);
      if (sizes instanceof Promise) return sizes.then((settled) => note(accepted, settled));
      return note(accepted, sizes);
    });
  });
  return withProbe(compression, () => probeReport(counter, used, pools));
}

function poolsOf({
  brotli = 'runtime',
  brotliQuality = 4,
  gzipLevel = 6,
  poolSize = 4,
  maxWaiting = 256,
}: CompressionOptions): Pools {
  const pool = (encoder: Encoder) => new EncoderPool(encoder, poolSize, maxWaiting);
  return {
    br: pool(brotli === 'wasm' ? brotliWasmEncoder(brotliQuality) : brotliEncoder(brotliQuality)),
    gzip: pool(gzipEncoder(gzipLevel)),
    deflate: pool(deflateEncoder(gzipLevel)),
  };
}

function encodingFor({ req }: HttpContext): Encoding | undefined {
  const header = req.headers['accept-encoding'];
  return header === undefined ? undefined : negotiateEncoding(String(header));
}

interface Sizes {
  readonly before: number;
  readonly after: number;
}

function compress(
  context: HttpContext,
  encoding: Encoding,
  pool: EncoderPool,
  threshold: number,
): Sizes | undefined | Promise<Sizes | undefined> {
  const body = knownBody(context);
  const before = body === undefined ? Infinity : Buffer.byteLength(body);
  if (before < threshold || !isCompressible(context)) return undefined;
  if (body === undefined) return compressStream(context, encoding, pool);
  if (before > SYNC_BYTES) return compressLater(context, encoding, pool, body);
  const encoded = pool.encodeSync(body);
  sendEncoded(context, encoding, encoded);
  return { before, after: encoded.length };
}

async function compressLater(
  context: HttpContext,
  encoding: Encoding,
  pool: EncoderPool,
  body: string | Buffer,
): Promise<Sizes | undefined> {
  const encoded = await pool.encode(body);
  if (encoded === undefined) return undefined;
  sendEncoded(context, encoding, encoded);
  return { before: Buffer.byteLength(body), after: encoded.length };
}

function compressStream(context: HttpContext, encoding: Encoding, pool: EncoderPool): Sizes | undefined {
  if (!(context.body instanceof Readable)) return undefined;
  const encoder = pool.stream();
  if (encoder === undefined) return undefined;
  const source = context.body;
  // `pipe` hands no errors on, and an encoder that nobody ends would keep its place for ever.
  source.on('error', (error) => encoder.destroy(error));
  encoder.on('close', () => source.destroy());
  sendEncoded(context, encoding, source.pipe(encoder));
  return { before: 0, after: 0 };
}

function sendEncoded(context: HttpContext, encoding: Encoding, body: Buffer | Stream): void {
  weakenETag(context);
  context.res.setHeader('Content-Encoding', encoding);
  replaceBody(context, body);
}

// A strong ETag names bytes, and these are others now (RFC 9110, section 8.8.3).
function weakenETag({ res }: HttpContext): void {
  const tag = res.getHeader('ETag');
  if (typeof tag === 'string' && !tag.startsWith('W/')) res.setHeader('ETag', `W/${tag}`);
}

function probeReport(counter: HitCounter, used: Readonly<Record<Encoding, number>>, pools: Pools): ProbeReport {
  const detail = counter.detail();
  const encoders = Object.fromEntries(ENCODINGS.map((encoding) => [encoding, pools[encoding].facts]));
  const { bytes = 0, bytes_saved: saved = 0 } = detail as { bytes?: number; bytes_saved?: number };
  const isPoor = bytes > 0 && saved / (bytes + saved) < POOR_SAVING;
  const notes = [...counter.notes(), ...(isPoor ? ['Compression saves less than 5 % here.'] : [])];
  return ok('Brotli, gzip and deflate.', { detail: { ...detail, encodings: { ...used }, encoders }, notes });
}
