import { registerInstrumentations } from '@opentelemetry/instrumentation';
import { HttpInstrumentation } from '@opentelemetry/instrumentation-http';
import { registered } from './otel.mjs';

/**
 * The auto-instrumentation of node:http, which makes one span per request.
 *
 * @param {string} sink
 */
export function install(sink) {
  const provider = registered(sink);
  registerInstrumentations({ instrumentations: [new HttpInstrumentation()] });
  return { middlewares: [], ...provider };
}
