import { validateHeaderName, validateHeaderValue } from 'node:http';

/** What Node takes as the value of a header. */
export type HeaderValue = number | string | readonly string[];

/** What is known of a header by its name. */
export interface HeaderName {
  /** The name in lower case. */
  readonly key: string;
  /** Node decides about framing and connections by it, so it goes Node's own way. */
  readonly isFraming: boolean;
  /** For sets of names: the names that are seen first have bits of their own, the others share one. */
  readonly bit: number;
  /** The lines of this header that were made last: most responses carry one of them, or go through both (Vary). */
  last: HeaderLine | undefined;
  beforeLast: HeaderLine | undefined;
}

/** A header as it is sent. */
export interface HeaderLine {
  readonly header: HeaderName;
  /** As it was spelled. */
  readonly name: string;
  readonly value: HeaderValue;
  /** The line, or the lines of a list, with their ends. */
  readonly text: string;
}

/** The bit of all headers about framing. */
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

/** Most different spellings that are remembered. */
const KNOWN_NAMES = 4096;
const bySpelling = new Map<string, HeaderName>();
const byKey = new Map<string, HeaderName>();
let nextBit = FRAMING_BIT << 1;

/** What is known of a header, however its name is spelled; nothing is checked. */
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
  return { key, isFraming: FRAMING.has(key), bit, last: undefined, beforeLast: undefined };
}

// A name that is not remembered must have the same bit the next time.
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
  const { last, beforeLast } = header;
  if (last !== undefined && last.value === value && last.name === name) return last;
  if (beforeLast !== undefined && beforeLast.value === value && beforeLast.name === name) return beforeLast;
  if (last?.name !== name) validateHeaderName(name);
  const line = { header, name, value, text: textOf(name, value) };
  // A list may be changed by whoever has made it.
  if (Array.isArray(value)) return line;
  header.beforeLast = last;
  header.last = line;
  return line;
}

function textOf(name: string, value: HeaderValue): string {
  if (Array.isArray(value)) return (value as readonly string[]).map((each) => textOf(name, each)).join('');
  validateHeaderValue(name, value as string);
  return `${name}: ${value}\r\n`;
}
