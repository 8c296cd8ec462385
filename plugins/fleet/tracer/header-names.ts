import { cutText } from '../../../kernel/log/index.js';

/** Header names of one span. */
const MAX_NAMES = 64;
/** Longest header name, in characters. */
const MAX_NAME = 128;
/** Lists that are remembered, and the longest of them, in characters. */
const MEMORY = 512;
const MAX_REMEMBERED = 4096;

/**
 * The header names of requests, sorted, as spans keep them until they are exported: names alone, few and short, because the headers
 * themselves may be large. Services see few combinations, and mostly the same one again: each is one list that spans share.
 */
export class HeaderNames {
  readonly #known = new Map<string, readonly string[]>();
  #last: readonly string[] = [];
  #lastList: readonly string[] = [];

  /** @param headers - of a request */
  of(headers: object): readonly string[] {
    const names = Object.keys(headers);
    if (areEqual(names, this.#last)) return this.#lastList;
    const key = names.join();
    const list = this.#known.get(key) ?? listOf(names);
    // Lists without end could come from a client; starting over is cheaper than remembering which one was used last.
    if (key.length > MAX_REMEMBERED) return list;
    if (this.#known.size >= MEMORY) this.#known.clear();
    this.#known.set(key, list);
    this.#last = names;
    this.#lastList = list;
    return list;
  }
}

function listOf(names: readonly string[]): readonly string[] {
  const sorted = names.map((name) => cutText(name, MAX_NAME).toLowerCase()).sort();
  return sorted.slice(0, MAX_NAMES);
}

function areEqual(a: readonly string[], b: readonly string[]): boolean {
  if (a.length !== b.length) return false;
  for (let at = 0; at < a.length; at++) if (a[at] !== b[at]) return false;
  return true;
}
