import { isObject } from '../values/index.js';
import { anywhere } from './anywhere.js';

const INHERITED: ReadonlySet<string> = new Set(Object.getOwnPropertyNames(Object.prototype));

/** Whether a schema contains a property name that every object inherits, such as `constructor` or `toString`. */
export function namesInherited(schema: unknown): boolean {
  if (typeof schema === 'string') return INHERITED.has(schema);
  if (typeof schema !== 'object' || schema === null) return false;
  return Object.entries(schema).some(([name, part]) => INHERITED.has(name) || namesInherited(part));
}

/** A property with a default whose name every object inherits: a validator never fills it in, because the inherited value exists. */
export function inheritedDefault(schema: unknown): string | undefined {
  let found: string | undefined;
  anywhere(schema, ({ properties }) => {
    const own = isObject(properties) ? Object.entries(properties) : [];
    found = own.find(([name, part]) => INHERITED.has(name) && isObject(part) && part['default'] !== undefined)?.[0];
    return found !== undefined;
  });
  return found;
}
