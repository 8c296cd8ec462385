import { middleware, newTracer } from '../../../../dist/plugins/fleet/tracer/index.js';

/**
 * fw's tracer as Koa middleware, the trace on ctx, everything else at its defaults: JSON, gzip, batches of 200.
 *
 * @param {string} sink
 */
export function install(sink) {
  return traced({ aggregatorURL: sink, enabled: true });
}

/** @param {Partial<import('../../../../plugins/fleet/tracer/index.js').TracerConfig>} config */
export function traced(config) {
  const tracer = newTracer({ serviceName: 'bench', ...config });
  return {
    middlewares: [middleware(tracer)],
    // There is no call that flushes: a batch leaves at the latest after the flush interval of one second.
    flush: () => new Promise((resolve) => setTimeout(resolve, 1_200)),
    close: () => tracer.close(),
  };
}
