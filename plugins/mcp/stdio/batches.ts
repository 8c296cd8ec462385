import type { RequestId } from '../protocol/json-rpc.js';

interface Batch {
  readonly order: readonly string[];
  readonly answers: Map<string, string>;
}

/** Collects the responses to a JSON-RPC batch, so that they are sent as one array in the order of the requests. */
export class Batches {
  readonly #byId = new Map<string, Batch>();

  /** Registers a batch by the ids of its requests. */
  open(ids: readonly RequestId[]): void {
    const batch: Batch = { order: ids.map(keyOf), answers: new Map() };
    for (const key of batch.order) this.#byId.set(key, batch);
  }

  /**
   * Takes the answer to a request.
   * @returns the text to send now: the answer itself when it belongs to no batch, the array when its batch is complete
   */
  answered(id: RequestId, text: string): string | undefined {
    const batch = this.#byId.get(keyOf(id));
    if (!batch) return text;
    batch.answers.set(keyOf(id), text);
    return this.#ifComplete(batch);
  }

  /** A cancelled request, which gets no response. @returns as {@link answered} */
  skipped(id: RequestId): string | undefined {
    const batch = this.#byId.get(keyOf(id));
    if (!batch) return undefined;
    batch.answers.set(keyOf(id), '');
    return this.#ifComplete(batch);
  }

  #ifComplete({ order, answers }: Batch): string | undefined {
    if (order.some((key) => !answers.has(key))) return undefined;
    for (const key of order) this.#byId.delete(key);
    const given = order.map((key) => answers.get(key) as string).filter((text) => text !== '');
    return given.length === 0 ? undefined : `[${given.join(',')}]`;
  }
}

function keyOf(id: RequestId): string {
  return JSON.stringify(id);
}
