import { pipeline, type Readable } from 'node:stream';
import type { StreamEncoder } from './encoder.js';

/** Shortest time between two flushes in milliseconds: a source that is in full flow loses little by them. */
const FLUSH_MS = 10;

/**
 * Compresses a stream so that it stays one: what its source gives goes out within milliseconds, however little it is. An encoder
 * by itself holds back what it may still compress better, which for a slow source is everything.
 *
 * @returns the encoder, which reads from the source
 */
export function flushBehind(source: Readable, encoder: StreamEncoder): StreamEncoder {
  let flushedAt = 0;
  let timer: NodeJS.Timeout | undefined;
  const flush = () => {
    timer = undefined;
    flushedAt = Date.now();
    if (!encoder.writableEnded && !encoder.destroyed) encoder.flush();
  };
  source.on('data', () => {
    timer ??= setTimeout(flush, Math.max(0, flushedAt + FLUSH_MS - Date.now()));
  });
  encoder.once('close', () => clearTimeout(timer));
  // What fails on either side ends the other; whoever reads the encoder hears of it there.
  pipeline(source, encoder, () => {});
  return encoder;
}
