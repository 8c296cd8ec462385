import type { IncomingMessage } from 'node:http';
import { promisify } from 'node:util';
import { gunzip, gunzipSync } from 'node:zlib';
import { CollectedBytes } from '../../../kernel/bounded/index.js';
import { fwError } from '../../../kernel/index.js';
import { AGGREGATOR_ERRORS } from './errors.js';
import type { AggregatorSettings } from './options.js';
import { TurnQueue } from './turn-queue.js';

/** Up to this many compressed bytes, synchronous decompression is faster than the thread pool. */
const IN_PLACE = 64 * 1024;

const gunzipInPool = promisify<Buffer, { maxOutputLength: number }, Buffer>(gunzip);

/** Reads bodies of requests, unzipped, and bounds what those that are under way hold together. */
export class RequestBodies {
  readonly #turns = new TurnQueue();
  /** Bytes of all bodies that are read or used at a time: one as large as allowed fits in any case, zipped and expanded. */
  readonly #most: number;
  #held = 0;
  #refused = 0;

  constructor({ maxBodiesBytes, maxBodyBytes }: Pick<AggregatorSettings, 'maxBodiesBytes' | 'maxBodyBytes'>) {
    this.#most = Math.max(maxBodiesBytes, 2 * maxBodyBytes);
  }

  /** Bytes that bodies hold at present, and how many were refused because they would have held too many. */
  stats() {
    return { bytes: this.#held, max_bytes: this.#most, refused: this.#refused };
  }

  /**
   * Reads a body, and holds its bytes until the work is done.
   *
   * @param limit - bytes, of the body as sent and of the body as expanded
   * @throws FwError 400 (broken gzip, cut off), 413 (too large), 415 (another encoding), 503 (all bodies together are too large)
   */
  async use<Result>(request: IncomingMessage, limit: number, work: (body: Buffer) => Result): Promise<Result> {
    const encoding = (request.headers['content-encoding'] ?? 'identity').toLowerCase();
    if (encoding !== 'gzip' && encoding !== 'identity') {
      throw fwError(AGGREGATOR_ERRORS.FW_FLEET_ENCODING, { encoding: encoding.slice(0, 40) });
    }
    let mine = 0;
    const hold = (bytes: number) => {
      if (this.#held + bytes > this.#most) throw this.#full();
      mine += bytes;
      this.#held += bytes;
    };
    try {
      const raw = await readRaw(request, limit, hold);
      await this.#turns.next();
      if (encoding === 'identity') return work(raw);
      // A small one expands, is used and is forgotten in one go; nothing else is held meanwhile.
      if (raw.length <= IN_PLACE) return work(unzipped(() => gunzipSync(raw, { maxOutputLength: limit }), limit));
      hold(limit);
      return work(await unzippedInPool(raw, limit));
    } finally {
      this.#held -= mine;
    }
  }

  #full() {
    this.#refused++;
    return fwError(AGGREGATOR_ERRORS.FW_FLEET_BODIES_FULL, { most: this.#most, seconds: 1 });
  }
}

function readRaw(request: IncomingMessage, limit: number, hold: (bytes: number) => void): Promise<Buffer> {
  const tooLarge = () => fwError(AGGREGATOR_ERRORS.FW_FLEET_BODY_TOO_LARGE, { limit });
  if (Number(request.headers['content-length'] ?? 0) > limit) return Promise.reject(tooLarge());
  // It has told of its end already where the client left before anything read the body.
  if (request.destroyed) return Promise.reject(fwError(AGGREGATOR_ERRORS.FW_FLEET_BODY_ABORTED, {}));
  return new Promise((resolve, reject) => {
    let body: CollectedBytes | undefined = new CollectedBytes();
    const refuse = (error: Error) => {
      body = undefined;
      reject(error);
    };
    request.on('data', (chunk: Buffer) => {
      if (body === undefined) return;
      if (body.size + chunk.length > limit) return refuse(tooLarge());
      try {
        hold(chunk.length);
        body.add(chunk);
      } catch (full) {
        refuse(full as Error);
      }
    });
    request.on('end', () => body && resolve(body.take()));
    // Every request emits `close`; an error, with its costly stack, is made only for one that was cut off.
    request.on('close', () => request.readableEnded || reject(fwError(AGGREGATOR_ERRORS.FW_FLEET_BODY_ABORTED, {})));
    request.on('error', (cause) => reject(fwError(AGGREGATOR_ERRORS.FW_FLEET_BODY_ABORTED, {}, { cause })));
  });
}

function unzipped(expand: () => Buffer, limit: number): Buffer {
  try {
    return expand();
  } catch (cause) {
    throw unzipError(cause, limit);
  }
}

function unzippedInPool(raw: Buffer, limit: number): Promise<Buffer> {
  return gunzipInPool(raw, { maxOutputLength: limit }).catch((cause: unknown) => {
    throw unzipError(cause, limit);
  });
}

function unzipError(cause: unknown, limit: number) {
  return (cause as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE'
    ? fwError(AGGREGATOR_ERRORS.FW_FLEET_EXPANDED_TOO_LARGE, { limit }, { cause })
    : fwError(AGGREGATOR_ERRORS.FW_FLEET_GZIP, {}, { cause });
}
