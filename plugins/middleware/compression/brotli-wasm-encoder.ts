import { createRequire } from 'node:module';
import { Transform, type TransformCallback } from 'node:stream';
import { fwError } from '../../../kernel/index.js';
import type { Encoder } from './encoder.js';
import { COMPRESSION_ERRORS } from './errors.js';

interface BrotliWasm {
  compress(body: Uint8Array, options: { readonly quality: number }): Uint8Array;
  readonly CompressStream: new (quality: number) => CompressStream;
  readonly BrotliStreamResultCode: { readonly NeedsMoreInput: number };
}

interface CompressStream {
  compress(input: Uint8Array | undefined, outputSize: number): StreamResult;
  free(): void;
}

interface StreamResult {
  readonly code: number;
  readonly buf: Uint8Array;
  readonly input_offset: number;
}

/** Bytes of output that one step may give. */
const STEP_BYTES = 65_536;

/**
 * Brotli of the package brotli-wasm, for runtimes whose zlib has none. Five to ten times slower than the runtime's own and
 * always on this thread.
 *
 * @param quality - 0 to 11
 * @throws FwError `FW_COMPRESSION_NO_WASM` when the package is not installed
 */
export function brotliWasmEncoder(quality: number): Encoder {
  const brotli = load();
  const encodeSync = (body: Buffer | string) =>
    Buffer.from(brotli.compress(typeof body === 'string' ? Buffer.from(body) : body, { quality }));
  return {
    encodeSync,
    encode: (body) => Promise.resolve(encodeSync(body)),
    stream: () => new BrotliWasmStream(brotli, quality),
  };
}

// By `require`: its build for `import` asks fetch() for a file: URL, which Node does not read.
function load(): BrotliWasm {
  try {
    return createRequire(import.meta.url)('brotli-wasm') as BrotliWasm;
  } catch (cause) {
    throw fwError(COMPRESSION_ERRORS.FW_COMPRESSION_NO_WASM, {}, { cause });
  }
}

class BrotliWasmStream extends Transform {
  readonly #stream: CompressStream;
  readonly #needsMore: number;

  constructor(brotli: BrotliWasm, quality: number) {
    super();
    this.#stream = new brotli.CompressStream(quality);
    this.#needsMore = brotli.BrotliStreamResultCode.NeedsMoreInput;
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    let rest: Uint8Array = chunk;
    for (let more = true; more;) {
      const { code, buf, input_offset } = this.#stream.compress(rest, STEP_BYTES);
      if (buf.length > 0) this.push(Buffer.from(buf));
      rest = rest.subarray(input_offset);
      more = code !== this.#needsMore;
    }
    done();
  }

  override _flush(done: TransformCallback): void {
    for (let more = true; more;) {
      const { code, buf } = this.#stream.compress(undefined, STEP_BYTES);
      if (buf.length > 0) this.push(Buffer.from(buf));
      more = code > this.#needsMore;
    }
    done();
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#stream.free();
    done(error);
  }
}
