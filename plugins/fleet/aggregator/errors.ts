import { defineErrors } from '../../../kernel/index.js';

/** Codes of the aggregator. The API sends the sentence as `{"error": "..."}`. */
export const AGGREGATOR_ERRORS = defineErrors('fleet/aggregator', {
  FW_FLEET_BATCH_MALFORMED: {
    message: 'malformed span batch: expected a JSON array of spans',
    status: 400,
    cause: 'The body of POST /api/spans is no JSON array.',
    remedy: 'Send an array, also for one span.',
  },
  FW_FLEET_SPAN_IDENTITY: {
    message:
      'invalid span identity at index {index}: expected trace_id of 32 and span_id of 16 lower-case hex digits, not all zero',
    status: 400,
    cause: 'A span of the batch has a malformed trace_id, span_id or parent_span_id. Nothing of the batch was kept.',
    remedy: 'Send W3C ids; leave parent_span_id out on a root.',
  },
  FW_FLEET_BATCH_TOO_LARGE: {
    message: 'batch too large: {count} spans, at most {limit} are taken at once',
    status: 413,
    cause: 'A batch has more spans than maxBatchSpans.',
    remedy: 'Send smaller batches.',
  },
  FW_FLEET_HEARTBEAT_MALFORMED: {
    message: 'malformed heartbeat: expected a JSON object with a non-empty service',
    status: 400,
    cause: 'The body of POST /api/heartbeat is no JSON object or names no service.',
    remedy: 'Send at least {"service": "<name>"}.',
  },
  FW_FLEET_GZIP: {
    message: 'invalid gzip payload',
    status: 400,
    cause: 'The body says Content-Encoding: gzip but is not gzip, or is cut off.',
    remedy: 'Compress the whole body, or leave the header out.',
  },
  FW_FLEET_ENCODING: {
    message: 'unsupported Content-Encoding {encoding}: expected gzip or none',
    status: 415,
    cause: 'The body is compressed with something else.',
    remedy: 'Use gzip.',
  },
  FW_FLEET_BODY_TOO_LARGE: {
    message: 'payload too large: at most {limit} bytes',
    status: 413,
    cause: 'The body is larger than maxBodyBytes as it is sent.',
    remedy: 'Send smaller batches.',
  },
  FW_FLEET_EXPANDED_TOO_LARGE: {
    message: 'expanded payload too large: at most {limit} bytes',
    status: 413,
    cause: 'The body is larger than maxBodyBytes once it is unzipped.',
    remedy: 'Send smaller batches.',
  },
  FW_FLEET_BODIES_FULL: {
    message: 'too many bodies at a time: together at most {most} bytes; come again in {seconds} s',
    status: 503,
    cause: 'The bodies that the aggregator reads or uses at a time would hold more than maxBodiesBytes.',
    remedy:
      'Send again after Retry-After, as the tracer does by itself. Raise maxBodiesBytes where many services export at once.',
  },
  FW_FLEET_BODY_ABORTED: {
    message: 'the request ended before its body was complete',
    status: 400,
    cause: 'The client went away.',
    remedy: 'Send the body again.',
  },
  FW_FLEET_UNAUTHORIZED: {
    message: 'unauthorized',
    status: 401,
    cause: 'X-Fleet-Token (writing) or Basic credentials (reading) are missing or wrong.',
    remedy: 'Compare ingestToken, username and password with the options of the aggregator.',
  },
  FW_FLEET_TOO_MANY_LOGINS: {
    message: 'too many wrong logins; come again in {seconds} s',
    status: 429,
    cause: 'Eight requests of one address (or of one IPv6 network of 64 bits) had a wrong user name or password.',
    remedy:
      'Wait for the seconds in Retry-After, and compare username and password with the options of the aggregator.',
  },
  FW_FLEET_TRACE_ID: {
    message: 'invalid trace id: expected 32 lower-case hex digits',
    status: 400,
    cause: 'The path names something else, often a span id of 16 digits.',
    remedy: 'Use trace_id of a span or of the trace list.',
  },
  FW_FLEET_TRACE_UNKNOWN: {
    message:
      'trace not found: it never arrived, expired after {traceTTL} ms without a span, or was pushed out by newer ones',
    status: 404,
    cause: 'Traces are kept in memory only, for a time and up to a number.',
    remedy: 'Ask sooner, or raise traceTTL and maxTraces.',
  },
  FW_FLEET_NO_ENDPOINT: {
    message:
      'no such endpoint: {method} {path}; endpoints are such as GET /api/services below the base path, and the page Fleet of the dashboard shows what they give',
    status: 404,
    cause: 'The path under the base path is unknown, or takes another method.',
    remedy: 'See the endpoints of the aggregator in the documentation.',
  },
  FW_FLEET_IMPORT: {
    message: 'malformed export file: {reason}',
    status: 400,
    cause: 'The body of POST /api/import is not what GET /api/export gives.',
    remedy: 'Import a file that an aggregator exported.',
  },
  FW_FLEET_INCIDENT_UNKNOWN: {
    message: 'no such incident: it never was, or was pushed out by newer ones',
    status: 404,
    cause:
      'The path names an incident that GET /api/incidents does not list. A hundred are remembered, in memory only.',
    remedy: 'Use the id of an incident from the list.',
  },
  FW_FLEET_INCIDENT_ACTION: {
    message: 'malformed {action}: expected {expected}',
    status: 400,
    cause: 'The body of a POST to an incident has something missing or of a wrong type.',
    remedy: 'Send what the message names, as JSON.',
  },
  FW_FLEET_CROSS_SITE: {
    message: 'refused: {reason}',
    status: 403,
    cause:
      'A page of another site tries to change something with the login that the browser has remembered for the aggregator.',
    remedy:
      'Send the request from the page of the aggregator itself, from the dashboard, or from a program, as application/json.',
  },
  FW_FLEET_WEBHOOK_OPTION: {
    message: 'The option {option} of fw/fleet/aggregator cannot be used: {reason}.',
    cause: 'The webhook is told where to send and how to sign in the configuration, and one of both does not fit.',
    remedy:
      'Give an http or https URL without credentials, and a secret of at least 16 characters (`whsec_` and base64, or any text).',
  },
  FW_FLEET_URL_REFUSED: {
    message: 'the URL is refused: {reason}',
    status: 400,
    cause: 'A heartbeat names a URL that the aggregator must not fetch.',
    remedy: 'Serve the document from the service itself, and list its host in fetchAllowedHosts when that is set.',
  },
  FW_FLEET_FETCH_FAILED: {
    message: 'fetching from {host} failed: {reason}',
    status: 502,
    cause: 'A service did not answer in time, or not with what was expected.',
    remedy: 'Check that the address in its heartbeat is right and reachable from the aggregator.',
  },
  FW_FLEET_EVENTS_BACKEND: {
    message: 'FLEET_EVENTS is {name}, and {reason}.',
    cause: 'The aggregator was told to read from a broker that it has no package for.',
    remedy:
      'Set FLEET_EVENTS to nats or kafka, and install the package of that backend beside fw from its packed file; docs/guides/events.md shows how.',
    guide: 'fleet.md#over-a-broker',
  },
});
