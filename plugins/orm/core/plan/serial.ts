let last = 0;
const serials = new WeakMap<object, number>();

/** Number of an object that is known by identity, such as a shape, so that it fits into a key of text. */
export function serialOf(item: object): number {
  const found = serials.get(item) ?? ++last;
  serials.set(item, found);
  return found;
}
