import { fwError, isFwError } from '../../../kernel/index.js';
import type { FormatAnswer, SpanFormat } from '../../../kernel/contracts/fleet.js';
import { readTraceProtobuf } from './codec/read-protobuf.js';
import { writeResponseProtobuf, writeStatusProtobuf } from './codec/write-protobuf.js';
import { OTLP_ERRORS } from './errors.js';
import { spanRecords } from './span-record.js';

const PROTOBUF = 'application/x-protobuf';
const JSON_TYPE = 'application/json';

const WHY = 'their trace or span id is malformed';

/** Traces over OTLP/HTTP, for an aggregator to take: `POST {basePath}/v1/traces`, as protobuf or JSON (OTLP 1.x, "OTLP/HTTP"). */
export const traceFormat: SpanFormat = {
  path: '/v1/traces',
  read(body, mediaType, limit) {
    const count = counter(limit);
    if (mediaType === PROTOBUF) return spanRecords(parsed('protobuf', () => readTraceProtobuf(body, count)));
    if (mediaType !== JSON_TYPE)
      throw fwError(OTLP_ERRORS.FW_FLEET_OTLP_MEDIA_TYPE, { mediaType: mediaType.slice(0, 80) });
    return spanRecords(
      parsed('JSON', () => object(JSON.parse(body.toString()))),
      count,
    );
  },
  answer(mediaType, rejected): FormatAnswer {
    if (mediaType === PROTOBUF) return { type: PROTOBUF, body: Buffer.from(writeResponseProtobuf(rejected, WHY)) };
    const partialSuccess = { rejectedSpans: String(rejected), errorMessage: WHY };
    return { type: JSON_TYPE, body: JSON.stringify(rejected > 0 ? { partialSuccess } : {}) };
  },
  refusal(mediaType, message): FormatAnswer {
    if (mediaType === PROTOBUF) return { type: PROTOBUF, body: Buffer.from(writeStatusProtobuf(message)) };
    return { type: JSON_TYPE, body: JSON.stringify({ message }) };
  },
};

// Groups count too: an empty one takes two bytes on the wire but an object in memory.
function counter(limit: number): () => void {
  let count = 0;
  return () => {
    if (++count > 3 * limit + 2) throw fwError(OTLP_ERRORS.FW_FLEET_OTLP_TOO_MANY, { limit });
  };
}

function parsed(expected: string, parse: () => unknown): unknown {
  try {
    return parse();
  } catch (cause) {
    if (isFwError(cause)) throw cause;
    // The parser's message may quote its input.
    const reason = 'it does not parse';
    throw fwError(OTLP_ERRORS.FW_FLEET_OTLP_MALFORMED, { expected, reason }, { cause });
  }
}

function object(value: unknown): unknown {
  const spans = (value as { resourceSpans?: unknown } | null)?.resourceSpans;
  if (
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    (spans === undefined || Array.isArray(spans))
  )
    return value;
  throw fwError(OTLP_ERRORS.FW_FLEET_OTLP_MALFORMED, {
    expected: 'JSON',
    reason: 'resourceSpans is no list of an object',
  });
}
