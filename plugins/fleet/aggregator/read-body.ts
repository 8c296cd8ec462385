import type { IncomingMessage } from 'node:http';
import { promisify } from 'node:util';
import { gunzip, gunzipSync } from 'node:zlib';
import { fwError } from '../../../kernel/index.js';
import { AGGREGATOR_ERRORS } from './errors.js';
import type { TurnQueue } from './turn-queue.js';

/** Up to this many compressed bytes, synchronous decompression is faster than the thread pool. */
const IN_PLACE = 64 * 1024;

const gunzipInPool = promisify<Buffer, { maxOutputLength: number }, Buffer>(gunzip);

/**
 * Reads a request's body, unzipped.
 *
 * @param limit - bytes, of the body as sent and of the body as expanded
 * @param turns - queue to wait in before the body is decompressed and returned
 * @throws FwError 400 (broken gzip, cut off), 413 (too large), 415 (another encoding)
 */
export async function readBody(request: IncomingMessage, limit: number, turns: TurnQueue): Promise<Buffer> {
  const encoding = (request.headers['content-encoding'] ?? 'identity').toLowerCase();
  if (encoding !== 'gzip' && encoding !== 'identity') {
    throw fwError(AGGREGATOR_ERRORS.FW_FLEET_ENCODING, { encoding: encoding.slice(0, 40) });
  }
  const raw = await readRaw(request, limit);
  await turns.next();
  return encoding === 'gzip' ? unzipped(raw, limit) : raw;
}

function readRaw(request: IncomingMessage, limit: number): Promise<Buffer> {
  const tooLarge = () => fwError(AGGREGATOR_ERRORS.FW_FLEET_BODY_TOO_LARGE, { limit });
  if (Number(request.headers['content-length'] ?? 0) > limit) return Promise.reject(tooLarge());
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= limit) chunks.push(chunk);
      else chunks.length = 0;
      if (size > limit) reject(tooLarge());
    });
    request.on('end', () => resolve(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)));
    // Every request emits `close`; an error, with its costly stack, is made only for one that was cut off.
    request.on('close', () => request.readableEnded || reject(fwError(AGGREGATOR_ERRORS.FW_FLEET_BODY_ABORTED, {})));
    request.on('error', (cause) => reject(fwError(AGGREGATOR_ERRORS.FW_FLEET_BODY_ABORTED, {}, { cause })));
  });
}

async function unzipped(raw: Buffer, limit: number): Promise<Buffer> {
  try {
    const options = { maxOutputLength: limit };
    return raw.length <= IN_PLACE ? gunzipSync(raw, options) : await gunzipInPool(raw, options);
  } catch (cause) {
    const isTooLarge = (cause as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE';
    throw isTooLarge
      ? fwError(AGGREGATOR_ERRORS.FW_FLEET_EXPANDED_TOO_LARGE, { limit }, { cause })
      : fwError(AGGREGATOR_ERRORS.FW_FLEET_GZIP, {}, { cause });
  }
}
