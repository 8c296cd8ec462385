import type { Readable, Stream } from 'node:stream';
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
  encodedTag,
  type Encoding,
  ENCODINGS,
  isStreamed,
  knownBody,
  negotiateEncoding,
  type ProbedMiddleware,
  replaceBody,
  streamedBody,
  varyBy,
  withProbe,
} from '../../http/index.js';
import { brotliWasmEncoder } from './brotli-wasm-encoder.js';
import { isCompressible } from './compressible.js';
import { brotliEncoder, deflateEncoder, type Encoder, gzipEncoder } from './encoder.js';
import { EncoderPool } from './encoder-pool.js';
import { flushBehind } from './flush-behind.js';
import type { CompressionOptions } from './options.js';

/** Bodies up to this many bytes are compressed synchronously, because the thread pool would cost more. */
const SYNC_BYTES = 32_768;
/** Below this saving the probe says that compression hardly pays. */
const POOR_SAVING = 0.05;

type Pools = Readonly<Record<Encoding, EncoderPool>>;

/**
 * Compresses finished bodies: brotli, gzip or deflate, as the client accepts (SPEC "Middleware chain", 9). Not compressed are bodies that
 * are tiny, encoded already or of an incompressible type, the statuses 204, 206 and 304, and `no-transform`. `Vary` always names
 * Accept-Encoding.
 */
export function compressionMiddleware(options: CompressionOptions = {}): ProbedMiddleware {
  const { threshold = 1024, types = [] } = options;
  const further = new Set(types.map((type) => type.toLowerCase()));
  const pools = poolsOf(options);
  const counter = new HitCounter({ hit: 'compressed', miss: 'passed_through' });
  const used: Record<Encoding, number> = { br: 0, gzip: 0, deflate: 0 };
  const note = (sizes: Sizes | undefined) => {
    if (sizes === undefined) return counter.miss();
    counter.hit(sizes.after, sizes.before - sizes.after);
    if (countersEnabled()) used[sizes.encoding]++;
  };
  const addVary = varyBy('Accept-Encoding');
  const compression = direct(function compression(context, next) {
    // Read before the handler runs, which may change it.
    const header = context.req.headers['accept-encoding'];
    const isHead = context.req.method === 'HEAD';
    return afterNext(next, () => {
      if (context.headerSent || context.respond === false) return undefined;
      addVary(context.res);
      if (header === undefined) return note(undefined);
      const sizes = compress(context, { header: String(header), isHead, pools, threshold, further });
      return sizes instanceof Promise ? sizes.then(note) : note(sizes);
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
  maxStreams = 64,
}: CompressionOptions): Pools {
  const pool = (encoder: Encoder) => new EncoderPool(encoder, poolSize, maxWaiting, maxStreams);
  return {
    br: pool(brotli === 'wasm' ? brotliWasmEncoder(brotliQuality) : brotliEncoder(brotliQuality)),
    gzip: pool(gzipEncoder(gzipLevel)),
    deflate: pool(deflateEncoder(gzipLevel)),
  };
}

interface Sizes {
  readonly encoding: Encoding;
  readonly before: number;
  readonly after: number;
}

/** How a response is compressed. */
interface Wanted {
  /** Value of `Accept-Encoding`. */
  readonly header: string;
  readonly isHead: boolean;
  readonly pools: Pools;
  readonly threshold: number;
  /** Media types that shrink besides those that everybody knows. */
  readonly further: ReadonlySet<string>;
}

// HEAD is handled like GET, because it has the same header fields (RFC 9110, section 9.3.2).
function compress(context: HttpContext, wanted: Wanted): Sizes | undefined | Promise<Sizes | undefined> {
  const { header, pools, threshold, further } = wanted;
  const body = knownBody(context);
  const before = body === undefined ? statedLength(context) : Buffer.byteLength(body);
  if (before < threshold || !isCompressible(context, further)) return undefined;
  if (body === undefined) return isStreamed(context.body) ? compressStream(context, wanted) : undefined;
  const encoding = negotiateEncoding(header);
  if (encoding === undefined) return undefined;
  if (before > SYNC_BYTES) return compressLater(context, encoding, pools[encoding], body);
  const encoded = pools[encoding].encodeSync(body);
  sendEncoded(context, encoding, encoded);
  return { encoding, before, after: encoded.length };
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
  return { encoding, before: Buffer.byteLength(body), after: encoded.length };
}

// A file and a Blob are streams of a known length.
function statedLength({ res }: HttpContext): number {
  const length = res.getHeader('Content-Length');
  return length === undefined ? Infinity : Number(length);
}

function compressStream(context: HttpContext, { header, isHead, pools }: Wanted): Sizes | undefined {
  const encoding = negotiateEncoding(
    header,
    ENCODINGS.filter((each) => pools[each].takesStreams),
  );
  if (encoding === undefined) return undefined;
  const sizes = { encoding, before: 0, after: 0 };
  if (isHead) {
    // A HEAD response has no body, so only the headers are set.
    announceEncoding(context, encoding);
    context.res.removeHeader('Content-Length');
    return sizes;
  }
  const source = streamedBody(context);
  const encoder = source && pools[encoding].stream();
  if (encoder === undefined) return undefined;
  sendEncoded(context, encoding, flushBehind(source as Readable, encoder));
  return sizes;
}

function sendEncoded(context: HttpContext, encoding: Encoding, body: Buffer | Stream): void {
  announceEncoding(context, encoding);
  replaceBody(context, body);
}

function announceEncoding(context: HttpContext, encoding: Encoding): void {
  const tag = context.res.getHeader('ETag');
  if (typeof tag === 'string') context.res.setHeader('ETag', encodedTag(context, tag, encoding));
  context.res.setHeader('Content-Encoding', encoding);
  // A range is of the bytes before: whoever has a beginning of these ones could not go on with it (RFC 9110, section 14.3).
  context.res.removeHeader('Accept-Ranges');
}

function probeReport(counter: HitCounter, used: Readonly<Record<Encoding, number>>, pools: Pools): ProbeReport {
  const detail = counter.detail();
  const encoders = Object.fromEntries(ENCODINGS.map((encoding) => [encoding, pools[encoding].facts]));
  const { bytes = 0, bytes_saved: saved = 0 } = detail as { bytes?: number; bytes_saved?: number };
  const isPoor = bytes > 0 && saved / (bytes + saved) < POOR_SAVING;
  const notes = [...counter.notes(), ...(isPoor ? ['Compression saves less than 5 % here.'] : [])];
  return ok('Brotli, gzip and deflate.', { detail: { ...detail, encodings: { ...used }, encoders }, notes });
}
