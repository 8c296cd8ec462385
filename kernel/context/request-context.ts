import { AsyncLocalStorage } from 'node:async_hooks';

/** What belongs to the request that is being handled. */
export interface RequestContext {
  /** Unique per request; sent back as `X-Request-Id` where the application asks for it. */
  readonly requestId: string;
  /** Aborted when the client goes away or the server gives up. */
  readonly signal: AbortSignal;
  /** W3C trace id (32 hex digits) when the request is traced. */
  traceId?: string;
  /** W3C span id (16 hex digits) of the current span. */
  spanId?: string;
}

let storage: AsyncLocalStorage<RequestContext | undefined> | undefined;

/**
 * Switches ambient request contexts on. The kernel calls it when an enabled plugin needs them: on Node 20 an
 * AsyncLocalStorage in use makes every `await` of the process about twice as dear, so it is not there for free.
 */
export function enableRequestContext(): void {
  storage ??= new AsyncLocalStorage<RequestContext | undefined>();
}

/** Whether ambient contexts are on. */
export function requestContextEnabled(): boolean {
  return storage !== undefined;
}

/**
 * Runs a function in a request's context; just runs it while ambient contexts are off.
 * @param context - undefined for work that belongs to no request, wherever it is started from
 */
export function runInRequestContext<Result>(context: RequestContext | undefined, run: () => Result): Result {
  return storage ? storage.run(context, run) : run();
}

/** The context of the request that is being handled, if ambient contexts are on and there is one. */
export function currentRequestContext(): RequestContext | undefined {
  return storage?.getStore();
}
