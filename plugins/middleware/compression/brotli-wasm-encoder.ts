import { createRequire } from 'node:module';
import type { Encoder } from './encoder.js';

interface BrotliWasm {
  compress(body: Uint8Array, options: { readonly quality: number }): Uint8Array;
}

/**
 * Brotli of the package brotli-wasm, for runtimes whose zlib has none. Five to ten times slower than the runtime's own and
 * always on this thread. It has no streams: the package cannot be made to give what it holds back before the end, so that a
 * client would see nothing of a stream until then.
 *
 * @param quality - 0 to 11
 */
export function brotliWasmEncoder(quality: number): Encoder {
  const brotli = load();
  const encodeSync = (body: Buffer | string) =>
    Buffer.from(brotli.compress(typeof body === 'string' ? Buffer.from(body) : body, { quality }));
  return { encodeSync, encode: (body) => Promise.resolve(encodeSync(body)) };
}

// By `require`: its build for `import` asks fetch() for a file: URL, which Node does not read. Only when it is wanted: it compiles
// a megabyte of WebAssembly.
function load(): BrotliWasm {
  return createRequire(import.meta.url)('brotli-wasm') as BrotliWasm;
}
