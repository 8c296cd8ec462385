/** Order of texts by their code units, which is the same on every machine. */
export function byText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Items by a key, in their order. */
export function grouped<Item, Key>(items: Iterable<Item>, keyOf: (item: Item) => Key): Map<Key, Item[]> {
  const groups = new Map<Key, Item[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return groups;
}

/** The item with the least value, the first one of several; undefined without items. */
export function leastBy<Item>(items: Iterable<Item>, valueOf: (item: Item) => number): Item | undefined {
  return mostBy(items, (item) => -valueOf(item));
}

/** The item with the greatest value, the first one of several; undefined without items. */
export function mostBy<Item>(items: Iterable<Item>, valueOf: (item: Item) => number): Item | undefined {
  let found: Item | undefined;
  let most = -Infinity;
  for (const item of items) {
    const value = valueOf(item);
    if (found !== undefined && value <= most) continue;
    found = item;
    most = value;
  }
  return found;
}
