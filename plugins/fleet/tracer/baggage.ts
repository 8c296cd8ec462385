import { cutText } from '../../../kernel/log/index.js';

/** Bytes of an `x-fw-baggage` header, read or written. */
const MAX_BAGGAGE_BYTES = 512;
/** Entries of an `x-fw-baggage` header. */
const MAX_BAGGAGE_ENTRIES = 32;

const RESERVED = /[^\x21-\x24\x26-\x2b\x2d-\x3c\x3e-\x7e]/gu;

/** Tags that travel with a request, by key. */
export type Baggage = ReadonlyMap<string, string>;

/** Counters of dropped baggage. */
export interface BaggageLosses {
  baggageDropped: number;
}

/**
 * Reads an `x-fw-baggage` header: `key=value` pairs, percent-encoded. Malformed and excess entries are dropped and counted; the trace is
 * kept.
 */
export function parseBaggage(header: string | undefined, losses: BaggageLosses): Baggage | undefined {
  if (header === undefined || header === '') return undefined;
  const baggage = new Map<string, string>();
  // Header bytes arrive as Latin-1 text, so the length in characters is the length in bytes.
  const text = header.length > MAX_BAGGAGE_BYTES ? cutAtEntry(header, losses) : header;
  for (const entry of text.split(',')) {
    const pair = decodedPair(entry);
    if (pair !== undefined && baggage.size < MAX_BAGGAGE_ENTRIES) baggage.set(...pair);
    else if (entry.trim() !== '') losses.baggageDropped++;
  }
  return baggage.size > 0 ? baggage : undefined;
}

function cutAtEntry(header: string, losses: BaggageLosses): string {
  losses.baggageDropped++;
  const end = header.lastIndexOf(',', MAX_BAGGAGE_BYTES);
  return end === -1 ? '' : cutText(header, end);
}

function decodedPair(entry: string): [string, string] | undefined {
  const at = entry.indexOf('=');
  if (at <= 0) return undefined;
  const key = decoded(entry.slice(0, at).trim());
  const value = decoded(entry.slice(at + 1).trim());
  return key && value ? [key, value] : undefined;
}

function decoded(text: string): string | undefined {
  if (!text.includes('%')) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/**
 * Writes an `x-fw-baggage` header: keys sorted, reserved characters percent-encoded. An entry that does not fit is dropped and counted;
 * shorter ones after it are still sent.
 */
export function formatBaggage(baggage: Baggage, losses: BaggageLosses): string {
  let header = '';
  for (const key of [...baggage.keys()].sort()) {
    const entry = `${encoded(key)}=${encoded(baggage.get(key) as string)}`;
    const separator = header === '' ? '' : ',';
    if (header.length + separator.length + entry.length > MAX_BAGGAGE_BYTES) losses.baggageDropped++;
    else header += separator + entry;
  }
  return header;
}

function encoded(text: string): string {
  return text.replace(RESERVED, (character) =>
    // encodeURIComponent throws on half of a surrogate pair.
    /^[\ud800-\udfff]$/.test(character) ? '%EF%BF%BD' : encodeURIComponent(character),
  );
}
