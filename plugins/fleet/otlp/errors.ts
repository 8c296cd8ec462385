import { defineErrors } from '../../../kernel/index.js';

/** Codes of OTLP. */
export const OTLP_ERRORS = defineErrors('fleet/otlp', {
  FW_FLEET_OTLP_MALFORMED: {
    message: 'malformed OTLP request: expected an ExportTraceServiceRequest as {expected} ({reason})',
    status: 400,
    cause: 'The body is not what its Content-Type says, or no OTLP trace request.',
    remedy: 'Send traces only, with the exporter of an OpenTelemetry SDK: OTLP over HTTP, protobuf or JSON.',
  },
  FW_FLEET_OTLP_MEDIA_TYPE: {
    message: 'unsupported Content-Type {mediaType}: expected application/x-protobuf or application/json',
    status: 415,
    cause: 'The body of an OTLP request is neither protobuf nor JSON.',
    remedy: 'Use OTLP over HTTP (http/protobuf or http/json); OTLP over gRPC is not spoken.',
  },
  FW_FLEET_OTLP_TOO_MANY: {
    message: 'request too large: more than {limit} spans, and groups of them, at once',
    status: 413,
    cause: 'An OTLP request has more spans than maxBatchSpans of fw/fleet/aggregator.',
    remedy: 'Lower the batch size of the exporter (OTEL_BSP_MAX_EXPORT_BATCH_SIZE).',
  },
  FW_FLEET_OTLP_URL: {
    message: 'The option url of fw/fleet/otlp cannot be used: {reason}. Expected e.g. http://127.0.0.1:4318.',
    cause: 'It is not an http or https URL, or holds a user name or a password.',
    remedy: 'Give scheme, host and port; credentials belong into the option headers.',
  },
  FW_FLEET_OTLP_NOTHING_TO_SEND: {
    message: 'fw/fleet/otlp has {wanted}, and the application does not have {plugin}.',
    cause: 'There are no spans that could be sent.',
    remedy:
      'List the plugin in app.config.ts; own spans come from fw/fleet/tracer, those of all services from fw/fleet/aggregator.',
  },
  FW_FLEET_OTLP_REFUSED: {
    message: 'The OTLP receiver at {origin} answered {status}. {advice}',
    cause: 'The receiver does not take the spans: a wrong key, a wrong address, a limit.',
    remedy: 'Compare url and headers with what the receiver wants.',
  },
  FW_FLEET_OTLP_UNREACHABLE: {
    message: 'The OTLP receiver at {origin} could not be reached: {reason}.',
    cause: 'Nothing listens there, the network is down, or the export took longer than exportTimeout.',
    remedy: 'Start the receiver; spans are kept and tried again up to eight times.',
  },
});
