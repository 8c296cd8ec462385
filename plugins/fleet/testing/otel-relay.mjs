// A service without fw, instrumented only by OpenTelemetry: passes each request on to the address in its query. `node otel-relay.mjs`
// prints its port, then a line of JSON for each span.
import { createRequire } from 'node:module';
import { SpanKind } from '@opentelemetry/api';
import { registerInstrumentations } from '@opentelemetry/instrumentation';
import { HttpInstrumentation } from '@opentelemetry/instrumentation-http';
import { NodeTracerProvider, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-node';

const exporter = {
  export(spans, done) {
    for (const span of spans) print(span);
    done({ code: 0 });
  },
  shutdown: () => Promise.resolve(),
};

function print(span) {
  const { traceId, spanId, traceState } = span.spanContext();
  const line = {
    kind: SpanKind[span.kind],
    trace: traceId,
    span: spanId,
    parent: span.parentSpanContext?.spanId,
    tracestate: traceState?.serialize(),
  };
  process.stdout.write(`${JSON.stringify(line)}\n`);
}

new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }).register();
registerInstrumentations({ instrumentations: [new HttpInstrumentation()] });

// Required afterwards, because the instrumentation patches modules loaded by require.
const http = createRequire(import.meta.url)('node:http');

const server = http.createServer((request, response) => {
  const to = new URL(request.url, 'http://relay').searchParams.get('to');
  http.get(to, (answer) => {
    response.writeHead(answer.statusCode);
    answer.pipe(response);
  });
});
server.listen(0, '127.0.0.1', () => process.stdout.write(`port ${server.address().port}\n`));
