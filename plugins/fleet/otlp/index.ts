import { definePlugin, degraded, fwError, milliseconds, off, ok, type Probe, token } from '../../../kernel/index.js';
import { SpanFormat } from '../../../kernel/contracts/fleet.js';
import { FleetAggregator } from '../aggregator/index.js';
import { FleetTracer } from '../tracer/index.js';
import { OTLP_ERRORS } from './errors.js';
import type { ExportNumbers } from '../transports/index.js';
import { type Forwarding, forwardSpans } from './forward.js';
import { otlpOptions } from './options.js';
import { OtlpTransport } from './otlp-transport.js';
import { traceFormat } from './trace-format.js';

export { OTLP_ERRORS } from './errors.js';
export { OtlpRefusal, OtlpTransport } from './otlp-transport.js';

/** Milliseconds for which a stop goes on forwarding spans. */
const CLOSE_MS = 5_000;

/** An export of an enabled plugin, with its receiver. */
interface Sending {
  readonly transport: OtlpTransport;
  readonly numbers: () => ExportNumbers;
  readonly forwarding?: Forwarding;
}

/** The exports of one application; filled when it starts. */
class Outgoing {
  current: Sending | undefined;
}

const Outgoings = token<Outgoing>('fw.FleetOtlpOutgoing');

export default definePlugin({
  id: 'fleet/otlp',
  category: 'fleet',
  description: 'Takes spans of OpenTelemetry services over OTLP/HTTP, and sends ours to whoever takes OTLP',
  options: otlpOptions,
  optionalNeeds: ['fleet/aggregator', 'fleet/tracer'],
  provides: [Outgoings],
  register({ options, bind, contribute, probe }) {
    const outgoing = new Outgoing();
    bind(Outgoings, () => outgoing);
    if (options.receive) contribute(SpanFormat, () => traceFormat);
    probe('fleet-otlp', otlpProbe(outgoing));
  },
  start(services) {
    const { options, log } = services;
    if (options.url === '') return;
    const transport = new OtlpTransport(options);
    const outgoing = services.get(Outgoings);
    const tracer = services.getOptional(FleetTracer);
    const aggregator = services.getOptional(FleetAggregator);
    if (options.forward && aggregator) {
      const { maxBatchSize, maxBufferSpans } = options;
      const [flushInterval, exportTimeout] = [milliseconds(options.flushInterval), milliseconds(options.exportTimeout)];
      const bounds = { flushInterval, exportTimeout, maxBatchSize, maxBufferSpans };
      const forwarding = forwardSpans(aggregator, transport, bounds, log);
      outgoing.current = { transport, numbers: forwarding.numbers, forwarding };
      return;
    }
    if (options.forward || tracer === undefined) {
      const [wanted, plugin] = options.forward
        ? ['forward: true', 'fw/fleet/aggregator']
        : ['a url', 'fw/fleet/tracer'];
      throw fwError(OTLP_ERRORS.FW_FLEET_OTLP_NOTHING_TO_SEND, { wanted, plugin });
    }
    outgoing.current = { transport, numbers: tracer.exportAlso(transport) };
  },
  async stop(services) {
    await services.get(Outgoings).current?.forwarding?.close(CLOSE_MS);
  },
});

function otlpProbe(outgoing: Outgoing): Probe {
  return () => {
    const sending = outgoing.current;
    if (sending === undefined) return off('No spans are sent over OTLP: the option url is empty.');
    const { spansRecorded, spansExported, spansDropped, exportFailures, spansBuffered } = sending.numbers();
    const { rejected, reason } = sending.transport.partial;
    const detail = {
      receiver: sending.transport.origin,
      forwards: sending.forwarding !== undefined,
      spans_recorded: spansRecorded,
      spans_exported: spansExported,
      spans_dropped: spansDropped,
      spans_rejected: rejected,
      ...(reason !== '' && { rejected_because: reason }),
      spans_buffered: spansBuffered,
      export_failures: exportFailures,
    };
    if (spansDropped > 0) return degraded('Some spans did not arrive: see spans_dropped.', { detail });
    return ok('Spans are sent over OTLP.', { detail });
  };
}
