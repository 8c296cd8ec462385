import { pipeline, type Readable } from 'node:stream';
import type { StreamEncoder } from './encoder.js';
import { monotonicMs } from '../../../kernel/contracts/clock.js';

/** Shortest time between two flushes in milliseconds: at this rate, flushing costs a fast source little compression. */
const FLUSH_MS = 10;

/**
 * Compresses a stream and flushes it within milliseconds of each chunk, however small. Without flushing, an encoder buffers data to
 * compress them better, for a slow source all of them.
 *
 * @returns the encoder, which reads from the source
 */
export function flushBehind(source: Readable, encoder: StreamEncoder): StreamEncoder {
  let flushedAt = -FLUSH_MS;
  let timer: NodeJS.Timeout | undefined;
  const flush = () => {
    timer = undefined;
    flushedAt = monotonicMs();
    if (!encoder.writableEnded && !encoder.destroyed) encoder.flush();
  };
  source.on('data', () => {
    timer ??= setTimeout(flush, Math.max(0, flushedAt + FLUSH_MS - monotonicMs()));
  });
  encoder.once('close', () => clearTimeout(timer));
  // A failure of one side ends the other; the reader of the encoder gets the error.
  pipeline(source, encoder, () => {});
  return encoder;
}
