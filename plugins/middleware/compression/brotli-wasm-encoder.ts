import { createRequire } from 'node:module';
import type { Encoder } from './encoder.js';

interface BrotliWasm {
  compress(body: Uint8Array, options: { readonly quality: number }): Uint8Array;
}

/**
 * Brotli of the package brotli-wasm, for runtimes whose zlib has none. Five to ten times slower than the runtime's own and always on this
 * thread. It has no streams: the package cannot flush before the end, so a client would see nothing of a stream until then.
 *
 * @param quality - 0 to 11
 */
export function brotliWasmEncoder(quality: number): Encoder {
  const brotli = load();
  const encodeSync = (body: Buffer | string) =>
    Buffer.from(brotli.compress(typeof body === 'string' ? Buffer.from(body) : body, { quality }));
  return { encodeSync, encode: (body) => Promise.resolve(encodeSync(body)) };
}

// By `require`, because its ES module build calls fetch() with a file: URL, which Node does not support. Lazily, because it compiles a
// megabyte of WebAssembly.
function load(): BrotliWasm {
  return createRequire(import.meta.url)('brotli-wasm') as BrotliWasm;
}
