/** Characters that the list of one answer may have, so that a model reads it in about a thousand tokens. */
const PAGE_CHARACTERS = 3_200;

/** A part of a list. */
export interface Page<Item> {
  readonly shown: Item[];
  /** What an agent has to know to get the rest; none when it is all there. */
  readonly notes: readonly string[];
}

/**
 * The beginning of a list that fits into an answer, at most `limit` items.
 *
 * @param more - how to get the rest
 * @param most - characters of the list as JSON, for an answer that has several
 */
export function pageOf<Item>(
  items: readonly Item[],
  limit: number | undefined,
  more: string,
  most = PAGE_CHARACTERS,
): Page<Item> {
  const shown: Item[] = [];
  let characters = 0;
  for (const item of items.slice(0, limit ?? items.length)) {
    characters += JSON.stringify(item).length;
    // The size limit applies only if the caller gave no limit.
    if (limit === undefined && shown.length > 0 && characters > most) break;
    shown.push(item);
  }
  const left = items.length - shown.length;
  return { shown, notes: left > 0 ? [`${left} more; ${more}.`] : [] };
}

/** A text as a list shows it: cut at so many characters. */
export function brief(text: string, characters: number): string {
  return text.length <= characters ? text : `${text.slice(0, characters)}…`;
}
