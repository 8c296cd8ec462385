/**
 * What a value of a key is compared by. Numbers, texts and bigints are keys by value; an int and a bigint column may refer to each
 * other.
 */
export function scalarKey(value: unknown): unknown {
  if (typeof value === 'bigint')
    return value >= Number.MIN_SAFE_INTEGER && value <= Number.MAX_SAFE_INTEGER ? Number(value) : value;
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof Date) return value.toISOString();
  return value instanceof Uint8Array ? Buffer.from(value).toString('hex') : value;
}

/** A list in portions of at most so many. */
export function portionsOf<Item>(list: readonly Item[], most: number): readonly (readonly Item[])[] {
  const size = Math.max(1, most);
  return Array.from({ length: Math.ceil(list.length / size) }, (_, at) => list.slice(at * size, (at + 1) * size));
}
