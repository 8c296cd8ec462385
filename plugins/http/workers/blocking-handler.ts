import type { BlockingRequest, BlockingWorker, HttpContext } from '../../../kernel/index.js';
import type { WorkerPool } from './worker-pool.js';

/** A handler that runs in the worker pool and sends what the function there returns. */
export function blockingHandler({ module, export: name }: BlockingWorker, workers: () => WorkerPool) {
  const pool = workers();
  const task = { module: String(module), name };
  return async function blocking(context: HttpContext): Promise<unknown> {
    const value = await pool.run(task, requestOf(context), context.signal);
    // The copy of a buffer is an array of bytes, which would be sent as JSON.
    return value instanceof Uint8Array ? Buffer.from(value.buffer, value.byteOffset, value.byteLength) : value;
  };
}

function requestOf(context: HttpContext): BlockingRequest {
  const { input } = context as unknown as { input?: Readonly<Record<string, unknown>> };
  return {
    method: context.method,
    path: context.path,
    params: { ...context.params },
    query: { ...context.query },
    input: { ...input },
  };
}
