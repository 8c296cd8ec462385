import type { ServerResponse } from 'node:http';
import type { HttpContext } from '../../kernel/index.js';

const CONTROLLER = Symbol('fw.http.controller');

type Controlled = HttpContext & { [CONTROLLER]?: AbortController };

/** The signal of a request, made on first use. */
export function signalOf(this: Controlled): AbortSignal {
  return controllerOf(this).signal;
}

/** Aborts the signal of a request whose response is no longer needed. */
export function abortSignal(context: HttpContext, reason: Error): void {
  controllerOf(context).abort(reason);
}

function controllerOf(context: Controlled): AbortController {
  return (context[CONTROLLER] ??= abortedWithResponse(context.res));
}

function abortedWithResponse(response: ServerResponse): AbortController {
  const controller = new AbortController();
  const abort = () => {
    if (!response.writableFinished) controller.abort();
  };
  if (response.destroyed) abort();
  else response.once('close', abort);
  return controller;
}
