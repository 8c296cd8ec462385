import { declareSecret } from '../../../../kernel/contracts/index.js';
import type { FieldTags } from './declarations.js';
import { hidesProperty, parseJsonTag } from './tag-grammar.js';

interface HiddenValue {
  get(row: object): unknown;
  set(row: object, value: unknown): void;
}

// A constructor that returns another object makes a subclass define its private members on that object (ECMA-262, DefineField).
class Other {
  constructor(row: object) {
    return row;
  }
}

const values = new Map<string, HiddenValue>();

// A private member holds the value: no copy, key list or inspection finds it, and it is as fast as a property.
function hiddenValue(property: string): HiddenValue {
  const known = values.get(property);
  if (known) return known;
  class Hidden extends Other {
    #value: unknown;

    static get(row: object): unknown {
      return #value in row ? row.#value : undefined;
    }

    static set(row: object, value: unknown): void {
      const hidden = #value in row ? row : (new Hidden(row) as Hidden);
      hidden.#value = value;
    }
  }
  values.set(property, Hidden);
  return Hidden;
}

/**
 * Hides properties marked by `@json('-')` or `writeonly` from code that copies, lists or writes rows: `JSON.stringify`, loggers, `{ ...row
 * }`, `Object.entries`, `structuredClone`, `console.log`. Code that names the property reads and writes it as ever. Other names on the wire
 * take effect here too.
 */
export function applyJsonTags(prototype: object, fields: ReadonlyMap<string, FieldTags>): void {
  const tagged = [...fields].filter(([, { json }]) => json !== undefined);
  if (tagged.length === 0) return;
  for (const [property, { json = '' }] of tagged) if (hidesProperty(json)) hideProperty(prototype, property);
  if ('toJSON' in prototype) return;
  let wire: ReadonlyMap<string, string | undefined> | undefined;
  const value = function toJSON(this: object): object {
    wire ??= wireNames(prototype.constructor.name, tagged);
    return onTheWire(this, wire);
  };
  Object.defineProperty(prototype, 'toJSON', { value, configurable: true, writable: true });
}

/** Hides one property from code that copies, lists or writes rows of a class; see {@link applyJsonTags}. */
export function hideProperty(prototype: object, property: string): void {
  declareSecret(property);
  // An accessor that the class declares is no own property of rows either.
  if (property in prototype) return;
  const hidden = hiddenValue(property);
  Object.defineProperty(prototype, property, {
    configurable: true,
    get(this: object) {
      return hidden.get(this);
    },
    set(this: object, value: unknown) {
      hidden.set(this, value);
    },
  });
}

/** Removes own properties that class fields define on each instance and that shadow the accessor (`useDefineForClassFields`). */
export function withoutOwn(row: object, properties: readonly string[]): object {
  for (const property of properties) {
    const value = (row as Record<string, unknown>)[property];
    if (!Reflect.deleteProperty(row, property) || value === undefined) continue;
    (row as Record<string, unknown>)[property] = value;
  }
  return row;
}

/** Name on the wire of each property that has another one; undefined for what has none. */
function wireNames(
  model: string,
  tagged: readonly (readonly [property: string, tags: FieldTags])[],
): ReadonlyMap<string, string | undefined> {
  const names = tagged.map(([field, { json = '' }]) => {
    const name = hidesProperty(json) ? undefined : parseJsonTag(json, { model, field }).name;
    return [field, name] as const;
  });
  return new Map(names.filter(([property, name]) => property !== name));
}

function onTheWire(row: object, names: ReadonlyMap<string, string | undefined>): object {
  if (![...names.keys()].some((property) => Object.hasOwn(row, property))) return row;
  const entries = Object.entries(row).flatMap(([property, value]) => {
    const name = names.has(property) ? names.get(property) : property;
    return name === undefined ? [] : [[name, value] as const];
  });
  return Object.fromEntries(entries);
}
