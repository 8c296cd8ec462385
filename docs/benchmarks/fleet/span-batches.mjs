// Batches of spans as services would send them: traces of five spans over five services, two to five tags each.
const hex = (n, length) => n.toString(16).padStart(length, '0');
const SERVICES = ['gateway', 'auth', 'orders', 'payments', 'stock', 'mail', 'search', 'prices'];

/**
 * Spans of one batch; ids differ from batch to batch.
 * @param {number} batch - its number
 * @param {number} size - spans in it
 * @param {number} startMs - milliseconds since the epoch
 */
export function spansOf(batch, size, startMs) {
  return Array.from({ length: size }, (_, at) => {
    const n = batch * size + at;
    const depth = n % 5;
    const trace = Math.floor(n / 5);
    return {
      trace_id: `c${hex(trace, 31)}`,
      span_id: `d${hex(n, 15)}`,
      ...(depth > 0 && { parent_span_id: `d${hex(n - 1, 15)}` }),
      service: SERVICES[(trace + depth) % SERVICES.length],
      route: `/api/things/${depth}/:id`,
      method: depth % 2 ? 'POST' : 'GET',
      status: n % 97 === 0 ? 500 : 200,
      start_ns: `${startMs + (n % 1000)}${hex(n % 4096, 4)}`.replace(/[a-f]/g, '7').padEnd(19, '0').slice(0, 19),
      duration_ms: (n % 4000) / 37,
      ...(n % 97 === 0 && { error: 'HTTP 500' }),
      tags: {
        order_id: String(trace),
        region: ['eu', 'us', 'ap'][trace % 3],
        ...(depth % 2 && { user: `user-${trace % 5000}`, plan: 'free' }),
        ...(depth === 4 && { version: '1.2.3' }),
      },
      header_names: ['accept', 'content-type', 'host', 'traceparent', 'user-agent'],
    };
  });
}
