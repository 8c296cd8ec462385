/** Key of the context that is true where an answer shall not lose values silently: everywhere but in production. */
export const NAMES_LOST_VALUES: unique symbol = Symbol.for('fw.http.namesLostValues');

/**
 * Finds what JSON writes as `{}` although it is no empty object: a map, a set, a generator, a promise that nobody awaited, an error, an
 * object whose data are private. Costs a search of the text, unless there is a `{}`.
 *
 * @param text - the value as JSON
 * @returns where it is and what, in words; undefined when nothing is lost
 */
export function lostValue(value: unknown, text: string): string | undefined {
  return text.includes('{}') ? lostIn(value, '', '') : undefined;
}

function lostIn(given: unknown, key: string, path: string): string | undefined {
  const value = given === null || given === undefined ? given : sent(given as object, key);
  if (typeof value !== 'object' || value === null) return undefined;
  if (Array.isArray(value)) return firstOf(value.keys(), (at) => lostIn(value[at], String(at), `${path}[${at}]`));
  const names = Object.keys(value);
  if (isOwnless(value) && (names.length === 0 || value instanceof Map || value instanceof Set)) {
    return `${path === '' ? 'it' : path} is a ${kindOf(value)}, of which JSON has nothing but {}`;
  }
  const members = value as Readonly<Record<string, unknown>>;
  return firstOf(names, (name) => lostIn(members[name], name, path === '' ? name : `${path}.${name}`));
}

function firstOf<Each>(all: Iterable<Each>, find: (each: Each) => string | undefined): string | undefined {
  for (const each of all) {
    const found = find(each);
    if (found !== undefined) return found;
  }
  return undefined;
}

// What JSON sees (ECMA-262, SerializeJSONProperty).
function sent(value: object, key: string): unknown {
  const { toJSON } = value as { readonly toJSON?: unknown };
  return typeof toJSON === 'function' ? (toJSON.call(value, key) as unknown) : value;
}

// An object literal has no prototype, or that of all objects, whichever realm made it. Boxed texts and numbers are written as such.
function isOwnless(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  const isPlain = prototype === null || Object.getPrototypeOf(prototype) === null;
  return !isPlain && !(value instanceof Number || value instanceof Boolean || value instanceof String);
}

function kindOf(value: object): string {
  const tag = Object.prototype.toString.call(value).slice('[object '.length, -1);
  return tag === 'Object' ? value.constructor.name || 'class instance' : tag;
}
