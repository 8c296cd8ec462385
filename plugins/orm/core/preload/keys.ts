/** Comparison key of a key value. Numbers, texts and bigints compare by value; an int column may refer to a bigint column. */
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
