import { validateHeaderName, validateHeaderValue } from 'node:http';
import { asciiDisposition } from '../content-disposition.js';

/** Value of a header, as Node accepts it. */
export type HeaderValue = number | string | readonly string[];

/** Facts about a header name. */
export interface HeaderName {
  /** The name in lower case. */
  readonly key: string;
  /** Whether Node decides about framing or the connection by it, so that Node has to handle it. */
  readonly isFraming: boolean;
  /** Bit for sets of names: the names that are seen first have bits of their own, the others share one. */
  readonly bit: number;
  /** The last lines of this header: most responses have one of them. */
  readonly recent: HeaderLine[];
  /** Number of lines made, to replace the oldest. */
  made: number;
}

/** A header as it is sent. */
export interface HeaderLine {
  readonly header: HeaderName;
  /** Name in its original case. */
  readonly name: string;
  readonly value: HeaderValue;
  /** The line, or the lines of a list, with line breaks. */
  readonly text: string;
  /** False if Node's encoding of the line depends on the body. */
  readonly isAscii: boolean;
}

/** The common bit of all headers about framing. */
export const FRAMING_BIT = 1;
const SHARED_BIT = 1 << 30;

const FRAMING: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'transfer-encoding',
  'content-length',
  'date',
  'expect',
  'trailer',
  'upgrade',
  'proxy-connection',
]);

/** Lines of one header that are remembered: Vary goes through several values in one response. */
const RECENT_LINES = 3;
/** What cannot be in a value (RFC 9110, section 5.5). */
const NOT_IN_VALUES = /[^\t\x20-\x7e\x80-\xff]/;

const BEYOND_ASCII = /[^\r\n\t\x20-\x7e]/;

/** Most different spellings that are remembered. */
const KNOWN_NAMES = 4096;
const bySpelling = new Map<string, HeaderName>();
const byKey = new Map<string, HeaderName>();
let nextBit = FRAMING_BIT << 1;

/** Facts about a header name in any case; the name is not checked. */
export function headerName(name: string): HeaderName {
  return bySpelling.get(name) ?? remember(String(name));
}

function remember(name: string): HeaderName {
  const key = name.toLowerCase();
  const isFull = bySpelling.size >= KNOWN_NAMES;
  const header = byKey.get(key) ?? described(key, bitFor(key, isFull));
  if (isFull) return header;
  bySpelling.set(name, header);
  byKey.set(key, header);
  return header;
}

function described(key: string, bit: number): HeaderName {
  return { key, isFraming: FRAMING.has(key), bit, recent: [], made: 0 };
}

// A name that is not cached has to get the same bit each time.
function bitFor(key: string, isForgotten: boolean): number {
  if (FRAMING.has(key)) return FRAMING_BIT;
  if (isForgotten || nextBit === SHARED_BIT) return SHARED_BIT;
  const bit = nextBit;
  nextBit <<= 1;
  return bit;
}

/**
 * The line of a header.
 * @throws TypeError when the name or the value cannot be in a header (Node's ERR_INVALID_HTTP_TOKEN and ERR_INVALID_CHAR)
 */
export function headerLine(header: HeaderName, name: string, value: HeaderValue): HeaderLine {
  const { recent } = header;
  for (const line of recent) if (line.value === value && line.name === name) return line;
  if (recent[0]?.name !== name) validateHeaderName(name);
  const sent =
    header.key === 'content-disposition' && typeof value === 'string' ? checkedDisposition(name, value) : value;
  const text = textOf(name, sent);
  const line = { header, name, value: sent, text, isAscii: isAscii(text) };
  // Lists are not cached, because their owner may change them.
  if (!Array.isArray(value)) recent[header.made++ % RECENT_LINES] = line;
  return line;
}

/** Whether a text of the head is ASCII. */
export function isAscii(text: string): boolean {
  return !BEYOND_ASCII.test(text);
}

// Refuses invalid values with Node's own error.
function checkedDisposition(name: string, value: string): string {
  textOf(name, value);
  return asciiDisposition(value);
}

function textOf(name: string, value: HeaderValue): string {
  // For members of a list, Node checks only the characters, not the type.
  if (Array.isArray(value)) return (value as readonly unknown[]).map((each) => textOf(name, `${each}`)).join('');
  // Node's own check is used only for its error, because it takes several times as long.
  const isFine = typeof value === 'number' || (typeof value === 'string' && !NOT_IN_VALUES.test(value));
  if (!isFine) validateHeaderValue(name, value as string);
  return `${name}: ${value}\r\n`;
}
