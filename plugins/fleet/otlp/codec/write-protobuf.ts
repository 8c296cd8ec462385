import { BinaryWriter, WireType } from '@bufbuild/protobuf/wire';
import type { AnyValue, KeyValue, OtlpSpan, ResourceSpans, TraceRequest } from './trace-request.js';

const { LengthDelimited, Varint, Bit64, Bit32 } = WireType;

/** Writes an `ExportTraceServiceRequest` in its binary form. */
export function writeTraceProtobuf({ resourceSpans }: TraceRequest): Uint8Array {
  const writer = new BinaryWriter();
  for (const each of resourceSpans) message(writer, 1, () => writeResourceSpans(writer, each));
  return writer.finish();
}

/** Writes an `ExportTraceServiceResponse`; without refused spans it is empty. */
export function writeResponseProtobuf(rejectedSpans: number, errorMessage: string): Uint8Array {
  const writer = new BinaryWriter();
  if (rejectedSpans > 0) {
    message(writer, 1, () => {
      writer.tag(1, Varint).int64(rejectedSpans);
      writer.tag(2, LengthDelimited).string(errorMessage);
    });
  }
  return writer.finish();
}

/** Writes a `google.rpc.Status`, the required body of an error. */
export function writeStatusProtobuf(text: string): Uint8Array {
  return new BinaryWriter().tag(2, LengthDelimited).string(text).finish();
}

function message(writer: BinaryWriter, field: number, write: () => void): void {
  writer.tag(field, LengthDelimited).fork();
  write();
  writer.join();
}

function writeResourceSpans(writer: BinaryWriter, { resource, scopeSpans }: ResourceSpans): void {
  message(writer, 1, () => writeAttributes(writer, 1, resource.attributes));
  for (const { scope, spans } of scopeSpans) {
    message(writer, 2, () => {
      if (scope?.name !== undefined)
        message(writer, 1, () => writer.tag(1, LengthDelimited).string(scope.name as string));
      for (const span of spans) message(writer, 2, () => writeSpan(writer, span));
    });
  }
}

function writeSpan(writer: BinaryWriter, span: OtlpSpan): void {
  writer.tag(1, LengthDelimited).bytes(Buffer.from(span.traceId, 'hex'));
  writer.tag(2, LengthDelimited).bytes(Buffer.from(span.spanId, 'hex'));
  if (span.traceState !== undefined) writer.tag(3, LengthDelimited).string(span.traceState);
  if (span.parentSpanId !== undefined) writer.tag(4, LengthDelimited).bytes(Buffer.from(span.parentSpanId, 'hex'));
  writer.tag(5, LengthDelimited).string(span.name);
  writer.tag(6, Varint).int32(span.kind);
  writer.tag(7, Bit64).fixed64(span.startTimeUnixNano);
  writer.tag(8, Bit64).fixed64(span.endTimeUnixNano);
  writeAttributes(writer, 9, span.attributes);
  for (const { traceId, spanId } of span.links ?? []) {
    message(writer, 13, () => {
      writer.tag(1, LengthDelimited).bytes(Buffer.from(traceId, 'hex'));
      writer.tag(2, LengthDelimited).bytes(Buffer.from(spanId, 'hex'));
    });
  }
  const { code } = span.status ?? {};
  if (code !== undefined) message(writer, 15, () => writer.tag(3, Varint).int32(code));
  if (span.flags !== undefined) writer.tag(16, Bit32).fixed32(span.flags);
}

function writeAttributes(writer: BinaryWriter, field: number, attributes: readonly KeyValue[]): void {
  for (const { key, value } of attributes) {
    message(writer, field, () => {
      writer.tag(1, LengthDelimited).string(key);
      if (value) message(writer, 2, () => writeValue(writer, value));
    });
  }
}

function writeValue(writer: BinaryWriter, { stringValue, boolValue, intValue, doubleValue }: AnyValue): void {
  if (stringValue !== undefined) writer.tag(1, LengthDelimited).string(stringValue);
  else if (boolValue !== undefined) writer.tag(2, Varint).bool(boolValue);
  else if (intValue !== undefined) writer.tag(3, Varint).int64(intValue);
  else if (doubleValue !== undefined) writer.tag(4, Bit64).double(doubleValue);
}
