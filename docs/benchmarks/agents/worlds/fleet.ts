import assert from 'node:assert/strict';
import { bootTestApp, type BootedTestApp } from '../../../../kernel/testing/index.js';
import { span, type SpanSketch } from '../../../../kernel/testing/fleet-spans.js';
import { definePlugin, HttpRoutes, HttpServer, plugin } from '../../../../kernel/index.js';
import { until } from '../../../../kernel/testing/until.js';
import aggregator, { FleetAggregator } from '../../../../plugins/fleet/aggregator/index.js';
import http, { routes } from '../../../../plugins/http/index.js';

/** A Fleet Aggregator that runs in this process, and takes the spans of tasks. */
export interface FleetWorld {
  readonly app: BootedTestApp;
  readonly url: string;
  /** Sends spans as a service would. */
  send(spans: readonly SpanSketch[]): Promise<void>;
  /** Has the aggregator read the OpenAPI document of a service, to which it holds the spans of that service from then on. */
  promise(service: string, document: object): Promise<void>;
}

export async function fleetWorld(): Promise<FleetWorld> {
  const documents = new Map<string, object>();
  const documented = definePlugin({
    id: 'documents',
    category: 'app',
    description: 'OpenAPI documents of services that are not there.',
    register({ contribute }) {
      contribute(HttpRoutes, () =>
        routes((router) => {
          router.get('/documents/:service', (ctx) => documents.get(String(ctx.params['service'])));
        }),
      );
    },
  });
  const app = await bootTestApp({
    plugins: [
      plugin(() => Promise.resolve(http), { port: 0 }),
      plugin(() => Promise.resolve(aggregator), {}),
      plugin(() => Promise.resolve(documented), {}),
    ],
  });
  const { url } = app.services.get(HttpServer);
  const post = async (path: string, value: object) => {
    const { status } = await fetch(`${url}/fleet/api/${path}`, {
      method: 'POST',
      body: JSON.stringify(value),
      headers: { 'content-type': 'application/json' },
    });
    assert.ok(status >= 200 && status < 300, `${path} was answered ${status}`);
  };
  return {
    app,
    url,
    send: (spans) => post('spans', spans.map(span)),
    promise: async (service, document) => {
      documents.set(service, document);
      const known = () => app.services.get(FleetAggregator).stats().contracts?.schemas ?? 0;
      const before = known();
      await post('heartbeat', { service, openapi_hash: service, openapi_url: `${url}/documents/${service}` });
      await until(() => known() > before, 'document');
    },
  };
}
