import { context, propagation, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { registered } from './otel.mjs';

/**
 * One span made by hand around the request, with the attributes that fw's span has as well.
 *
 * @param {string} sink
 */
export function install(sink) {
  const provider = registered(sink);
  const tracer = trace.getTracer('bench');
  /** @type {(ctx: import('koa').Context, next: () => Promise<unknown>) => Promise<void>} */
  const middleware = async (ctx, next) => {
    const parent = propagation.extract(context.active(), ctx.req.headers);
    const span = tracer.startSpan(`${ctx.method} /users/:id`, { kind: SpanKind.SERVER }, parent);
    try {
      await context.with(trace.setSpan(parent, span), next);
    } finally {
      span.setAttribute('http.request.method', ctx.method);
      span.setAttribute('http.route', ctx['route'].path);
      span.setAttribute('http.response.status_code', ctx.status);
      if (ctx.status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
      span.end();
    }
  };
  return { middlewares: [middleware], ...provider };
}
