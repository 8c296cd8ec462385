import { BinaryReader, WireType } from '@bufbuild/protobuf/wire';
import type { AnyValue, KeyValue } from './trace-request.js';

/** Most attributes and links that are read of one element; further ones are skipped. */
const MOST = { attributes: 128, links: 32 } as const;

type Message = Record<string, unknown>;

/** Reads a member into a message. The reader is positioned after its tag. */
type ReadMember = (reader: BinaryReader, into: Message) => void;

/** Members by number, with the wire type that each must have; others are skipped, as protobuf requires. */
type Members = Readonly<Record<number, readonly [WireType, ReadMember]>>;

const { LengthDelimited, Varint, Bit64, Bit32 } = WireType;

/**
 * Reads an `ExportTraceServiceRequest` in its binary form: `opentelemetry/proto/trace/v1/trace.proto`, only the parts of a trace are kept.
 *
 * @param count - called for every span, and for every group of them; may throw, which ends the reading
 * @returns the same in its JSON form
 * @throws Error from the reader when the bytes are none
 */
export function readTraceProtobuf(bytes: Uint8Array, count: () => void): Message {
  const reader = new BinaryReader(bytes);
  return read(reader, reader.len, requestMembers(count));
}

function requestMembers(count: () => void): Members {
  const scopeSpans: Members = {
    1: [LengthDelimited, nested('scope', { 1: [LengthDelimited, text('name')] })],
    2: [LengthDelimited, listed('spans', SPAN, Infinity, count)],
  };
  const resourceSpans: Members = {
    1: [
      LengthDelimited,
      nested('resource', { 1: [LengthDelimited, listed('attributes', KEY_VALUE, MOST.attributes)] }),
    ],
    2: [LengthDelimited, listed('scopeSpans', scopeSpans, Infinity, count)],
  };
  return { 1: [LengthDelimited, listed('resourceSpans', resourceSpans, Infinity, count)] };
}

function read(reader: BinaryReader, end: number, members: Members): Message {
  const message: Message = {};
  while (reader.pos < end) {
    const [number, type] = reader.tag();
    const member = members[number];
    if (member?.[0] === type) member[1](reader, message);
    else reader.skip(type, number);
  }
  return message;
}

function text(name: string): ReadMember {
  return (reader, into) => void (into[name] = reader.string());
}

function hex(name: string): ReadMember {
  return (reader, into) => void (into[name] = Buffer.from(reader.bytes()).toString('hex'));
}

function number(name: string): ReadMember {
  return (reader, into) => void (into[name] = reader.int32());
}

function nanoseconds(name: string): ReadMember {
  return (reader, into) => void (into[name] = String(reader.fixed64()));
}

function nested(name: string, members: Members): ReadMember {
  return (reader, into) => void (into[name] = submessage(reader, members));
}

function listed(name: string, members: Members, most: number, count?: () => void): ReadMember {
  return (reader, into) => {
    const list = (into[name] ??= []) as Message[];
    if (list.length >= most) return void reader.skip(LengthDelimited);
    count?.();
    list.push(submessage(reader, members));
  };
}

// Of a span's events only the exception is read, which is the last one of many: the messages of a stream are events too.
function lastException(reader: BinaryReader, into: Message): void {
  const event = submessage(reader, EVENT);
  if (event['name'] === 'exception') into['events'] = [event];
}

// Checks that a message ends exactly at its length; the reader itself only notices a length beyond the end of the bytes.
function submessage(reader: BinaryReader, members: Members): Message {
  const length = reader.uint32();
  const end = reader.pos + length;
  const message = read(reader, end, members);
  if (reader.pos !== end) throw new RangeError('a message is longer than it says');
  return message;
}

const ANY_VALUE: Members = {
  1: [LengthDelimited, text('stringValue' satisfies keyof AnyValue)],
  2: [Varint, (reader, into) => void (into['boolValue'] = reader.bool())],
  3: [Varint, (reader, into) => void (into['intValue'] = String(reader.int64()))],
  4: [Bit64, (reader, into) => void (into['doubleValue'] = reader.double())],
};
const KEY_VALUE: Members = {
  1: [LengthDelimited, text('key' satisfies keyof KeyValue)],
  2: [LengthDelimited, nested('value', ANY_VALUE)],
};
const EVENT: Members = {
  2: [LengthDelimited, text('name')],
  3: [LengthDelimited, listed('attributes', KEY_VALUE, MOST.attributes)],
};
const LINK: Members = { 1: [LengthDelimited, hex('traceId')], 2: [LengthDelimited, hex('spanId')] };
const STATUS: Members = { 2: [LengthDelimited, text('message')], 3: [Varint, number('code')] };
const SPAN: Members = {
  1: [LengthDelimited, hex('traceId')],
  2: [LengthDelimited, hex('spanId')],
  3: [LengthDelimited, text('traceState')],
  4: [LengthDelimited, hex('parentSpanId')],
  5: [LengthDelimited, text('name')],
  6: [Varint, number('kind')],
  7: [Bit64, nanoseconds('startTimeUnixNano')],
  8: [Bit64, nanoseconds('endTimeUnixNano')],
  9: [LengthDelimited, listed('attributes', KEY_VALUE, MOST.attributes)],
  11: [LengthDelimited, lastException],
  13: [LengthDelimited, listed('links', LINK, MOST.links)],
  15: [LengthDelimited, nested('status', STATUS)],
  16: [Bit32, (reader, into) => void (into['flags'] = reader.fixed32())],
};

/** Reads an `ExportTraceServiceResponse` into its JSON form. @throws Error from the reader when the bytes are none */
export function readResponseProtobuf(bytes: Uint8Array): unknown {
  const reader = new BinaryReader(bytes);
  const partial: Members = {
    1: [Varint, (from, into) => void (into['rejectedSpans'] = String(from.int64()))],
    2: [LengthDelimited, text('errorMessage')],
  };
  return read(reader, reader.len, { 1: [LengthDelimited, nested('partialSuccess', partial)] });
}
