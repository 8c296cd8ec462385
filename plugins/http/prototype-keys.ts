import { isObject } from '../../kernel/values/index.js';
import { anywhere } from '../../kernel/schema/index.js';

const DANGEROUS = ['__proto__', 'constructor'] as const;

/** Whether copying a member of this name into another object would change a prototype. */
export function isPrototypeKey(name: string, keepsConstructor: boolean): boolean {
  return name === '__proto__' || (name === 'constructor' && !keepsConstructor);
}

/**
 * Drops the members `__proto__` and `constructor` at any depth of a decoded value: copied into another object they would change its
 * prototype.
 *
 * @param source - the text that the value was decoded from; if it does not contain the names, nothing is searched. Undefined if unknown
 * @param keepsConstructor - whether the schema declares a property of that name, which then is data like any other
 */
export function withoutPrototypeKeys<Value>(value: Value, source: string | undefined, keepsConstructor = false): Value {
  if (source === undefined || mayName(source)) dropFrom(value, keepsConstructor);
  return value;
}

// Escapes could spell the names differently.
const mayName = (text: string): boolean =>
  text.includes('\\u') || text.includes('%') || DANGEROUS.some((name) => text.includes(name));

/** Whether a schema declares a property of a name anywhere. */
export function declaresProperty(schema: unknown, name: string): boolean {
  return anywhere(schema, ({ properties }) => isObject(properties) && Object.hasOwn(properties, name));
}

// Iterative, because the sender decides the depth.
function dropFrom(root: unknown, keepsConstructor: boolean): void {
  const pending: unknown[] = [root];
  while (pending.length > 0) {
    const value = pending.pop();
    if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) continue;
    for (const name of DANGEROUS) {
      if (isPrototypeKey(name, keepsConstructor) && Object.hasOwn(value, name)) Reflect.deleteProperty(value, name);
    }
    for (const member of Object.values(value)) if (typeof member === 'object') pending.push(member);
  }
}
