import {
  type BlockingRequest,
  type BlockingWorker,
  fwError,
  type HttpContext,
  isFwError,
} from '../../../kernel/index.js';
import { messageOf } from '../../../kernel/errors/index.js';
import { HTTP_ERRORS } from '../errors.js';
import { importable } from './importable-module.js';
import type { WorkerPool } from './worker-pool.js';

/** A handler that runs in the worker pool and sends what the function there returns. */
export function blockingHandler({ module, export: name }: BlockingWorker, workers: () => WorkerPool) {
  const pool = workers();
  const given = String(module);
  return async function blocking(context: HttpContext): Promise<unknown> {
    const task = { module: await threadModule(given, name), name };
    const value = await pool.run(task, requestOf(context), context.signal);
    // A buffer arrives as a Uint8Array, which would be sent as JSON.
    return value instanceof Uint8Array ? Buffer.from(value.buffer, value.byteOffset, value.byteLength) : value;
  };
}

async function threadModule(module: string, name: string): Promise<string> {
  try {
    return await importable(module);
  } catch (cause) {
    if (isFwError(cause)) throw cause;
    const reason = messageOf(cause);
    throw fwError(HTTP_ERRORS.FW_HTTP_WORKER, { handler: `${name} of ${module}`, reason }, { cause });
  }
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
