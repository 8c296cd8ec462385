import { cutText } from '../../../kernel/log/index.js';

/** Header names of one span. */
const MAX_NAMES = 64;
/** Longest header name, in characters. */
const MAX_NAME = 128;
/** Number of cached lists, and the longest cached one, in characters. */
const MEMORY = 512;
const MAX_REMEMBERED = 4096;

/**
 * The header names of requests, sorted, as spans keep them until they are exported: only names, limited in number and length. Services see
 * few combinations, so spans share one list for each.
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
    // Clients could send any number of lists; starting over is cheaper than tracking their use.
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
