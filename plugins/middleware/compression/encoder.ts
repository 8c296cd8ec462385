import type { Transform } from 'node:stream';
import { promisify } from 'node:util';
import zlib from 'node:zlib';

/** Compresses with one algorithm. */
export interface Encoder {
  /** On this thread, for small bodies. */
  encodeSync(body: Buffer | string): Buffer;
  /** Off this thread if the algorithm can. */
  encode(body: Buffer | string): Promise<Buffer>;
  /** For streams; missing if the algorithm cannot flush before the end. */
  readonly stream?: () => StreamEncoder;
}

/** Compresses a stream. */
export type StreamEncoder = Transform & {
  /** Sends everything written so far, so that the client can read it. */
  flush(): void;
};

/** Window of a stream encoder as a power of two: each stream holds that much memory, and there may be many. */
const STREAM_WINDOW = 18;

/** Bodies of fewer characters use the small output chunk. */
const SHORT = 1024;
/** The largest chunk that Node takes from its buffer pool; zlib's default of 16 KiB would be allocated and garbage-collected. */
const PIECE = 4095;

const pieceFor = (body: Buffer | string): number => (body.length < SHORT ? SHORT : PIECE);

/** Brotli of the runtime. @param quality - 0 to 11 */
export function brotliEncoder(quality: number): Encoder {
  const options = { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: quality } };
  const encode = promisify(zlib.brotliCompress) as (
    body: Buffer | string,
    options: zlib.BrotliOptions,
  ) => Promise<Buffer>;
  return {
    encodeSync: (body) => zlib.brotliCompressSync(body, { ...options, chunkSize: pieceFor(body) }),
    encode: (body) => encode(body, options),
    stream: () =>
      zlib.createBrotliCompress({ params: { ...options.params, [zlib.constants.BROTLI_PARAM_LGWIN]: STREAM_WINDOW } }),
  };
}

/** Gzip (RFC 1952). @param level - 0 to 9 */
export function gzipEncoder(level: number): Encoder {
  return zlibEncoder(level, zlib.gzipSync, zlib.gzip, zlib.createGzip);
}

/** The coding `deflate`, which is the zlib format (RFC 9110, section 8.4.1.2). @param level - 0 to 9 */
export function deflateEncoder(level: number): Encoder {
  return zlibEncoder(level, zlib.deflateSync, zlib.deflate, zlib.createDeflate);
}

function zlibEncoder(
  level: number,
  sync: typeof zlib.gzipSync,
  async: typeof zlib.gzip,
  stream: (options: zlib.ZlibOptions) => Transform & zlib.Zlib,
): Encoder {
  const encode = promisify(async) as (body: Buffer | string, options: zlib.ZlibOptions) => Promise<Buffer>;
  return {
    encodeSync: (body) => sync(body, { level, chunkSize: pieceFor(body) }),
    encode: (body) => encode(body, { level }),
    stream: () => syncFlushing(stream({ level })),
  };
}

// Uses Z_SYNC_FLUSH, because zlib's default flush resets the window.
function syncFlushing(encoder: Transform & zlib.Zlib): StreamEncoder {
  const flush = encoder.flush.bind(encoder) as (kind: number) => void;
  return Object.assign(encoder, { flush: () => flush(zlib.constants.Z_SYNC_FLUSH) });
}
