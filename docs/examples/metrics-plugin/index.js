import { createHash, timingSafeEqual } from 'node:crypto';
import {
  definePlugin,
  DiagnosticsRegistry,
  direct,
  afterNext,
  HttpMiddleware,
  HttpRoutes,
  Type,
  withDefault,
} from 'fw';
import { routes } from 'fw/http';

// Prometheus, text format 0.0.4: https://prometheus.io/docs/instrumenting/exposition_formats/
const MEDIA_TYPE = 'text/plain; version=0.0.4; charset=utf-8';
const STATES = ['ok', 'degraded', 'off', 'unknown'];

export default definePlugin({
  id: 'fw-plugin-metrics',
  category: 'app',
  description: 'Counts requests, and exports the counts and the states of all probes to Prometheus.',
  fw: '^0.1.0',
  options: Type.Object({
    path: withDefault(Type.String({ pattern: '^/', description: 'where Prometheus reads them' }), '/metrics'),
    token: withDefault(Type.String({ description: 'bearer token that is asked for', secret: true }), ''),
  }),
  needs: ['http'],
  order: { before: ['middleware/recovery'], because: 'what recovery answers shall be counted, too' },
  register({ options, contribute }) {
    const counts = new Map();
    const count = ({ method, status }) => {
      const labels = `method="${method}",status="${status}"`;
      counts.set(labels, (counts.get(labels) ?? 0) + 1);
    };
    const handle = direct((ctx, next) => afterNext(next, () => count(ctx)));
    contribute(HttpMiddleware, () => ({ name: 'metrics', handle, seesRefused: true }));
    contribute(HttpRoutes, () => metricsRoute(options, counts));
  },
});

const metricsRoute = ({ path, token }, counts) =>
  routes((router, services) => {
    const diagnostics = services.get(DiagnosticsRegistry);
    router.get(path, (ctx) => {
      if (token !== '' && !isSame(ctx.get('Authorization'), `Bearer ${token}`)) return ctx.throw(401);
      ctx.type = MEDIA_TYPE;
      ctx.body = exposition(counts, diagnostics.snapshot());
    });
  }, 'metrics');

function exposition(counts, reports) {
  return [
    '# HELP fw_http_requests_total Requests that were answered.',
    '# TYPE fw_http_requests_total counter',
    ...[...counts].map(([labels, value]) => `fw_http_requests_total{${labels}} ${value}`),
    '# HELP fw_probe_state 1 for the state that a subsystem is in.',
    '# TYPE fw_probe_state gauge',
    ...reports.flatMap(({ subsystem, status }) =>
      STATES.map((state) => `fw_probe_state{subsystem="${subsystem}",state="${state}"} ${Number(state === status)}`),
    ),
    '',
  ].join('\n');
}

// In constant time, whatever their lengths are.
function isSame(given, expected) {
  const [one, other] = [given, expected].map((text) => createHash('sha256').update(text).digest());
  return timingSafeEqual(one, other);
}
