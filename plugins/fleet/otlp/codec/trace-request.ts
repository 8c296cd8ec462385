// The JSON form of an `ExportTraceServiceRequest` (OTLP/HTTP, "JSON Protobuf Encoding"), which the binary form is read into and written
// from as well: ids as hex digits, 64-bit numbers as decimal texts, enumerations as numbers.

/** A value of an attribute. Lists and maps are not read. */
export interface AnyValue {
  readonly stringValue?: string;
  readonly boolValue?: boolean;
  /** Decimal text. */
  readonly intValue?: string | number;
  readonly doubleValue?: number;
}

export interface KeyValue {
  readonly key: string;
  readonly value?: AnyValue;
}

/** Where OTLP has `SpanKind`. */
export const SPAN_KIND = { internal: 1, server: 2, client: 3, producer: 4, consumer: 5 } as const;

/** `StatusCode` of a span that failed. */
export const STATUS_ERROR = 2;

export interface OtlpSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly traceState?: string;
  readonly name: string;
  readonly kind: number;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: readonly KeyValue[];
  readonly events?: readonly { readonly name: string; readonly attributes: readonly KeyValue[] }[];
  readonly links?: readonly { readonly traceId: string; readonly spanId: string }[];
  readonly status?: { readonly code?: number };
  readonly flags?: number;
}

export interface ResourceSpans {
  readonly resource: { readonly attributes: readonly KeyValue[] };
  readonly scopeSpans: readonly { readonly scope?: { readonly name?: string }; readonly spans: readonly OtlpSpan[] }[];
}

export interface TraceRequest {
  readonly resourceSpans: readonly ResourceSpans[];
}
