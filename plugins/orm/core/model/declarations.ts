import type { ModelClass, RelationDefinition, TableIndex } from './model-definition.js';

/** Tags of the decorators of one property. */
export interface FieldTags {
  readonly db?: string;
  readonly validate?: string;
  readonly json?: string;
  readonly relation?: Omit<RelationDefinition, 'property'>;
}

const members = new WeakMap<object, Map<string, FieldTags>>();
/** Arguments of `@table` for a class. */
interface DeclaredTable {
  readonly name: string;
  readonly checks?: Readonly<Record<string, string>>;
  readonly indexes?: readonly TableIndex[];
  readonly view?: string | true;
  readonly primaryKey?: boolean;
  readonly comment?: string;
  readonly database?: string | readonly string[];
}

const tables = new WeakMap<object, DeclaredTable>();

/** Decorated properties of a class, by its prototype, in declaration order. */
export function declaredMembers(prototype: object): Map<string, FieldTags> {
  const found = members.get(prototype) ?? new Map<string, FieldTags>();
  members.set(prototype, found);
  return found;
}

/** Notes the table of a class. */
export function declareTable(target: ModelClass, declared: DeclaredTable): void {
  tables.set(target, declared);
}

/** Table that `@table` gave a class, or undefined when it carries none. */
export const declaredTable = (target: ModelClass): DeclaredTable | undefined => tables.get(target);

/** Whether a class carries `@table`. */
export const isModelClass = (target: object): target is ModelClass => tables.has(target);

/**
 * Decorated properties of a class and of those it extends, the base class first. Tags of a redeclared property are added to those of the
 * base class.
 */
export function declaredFields(target: ModelClass): ReadonlyMap<string, FieldTags> {
  const all = new Map<string, FieldTags>();
  const chain: object[] = [];
  for (
    let at = target.prototype as object | null;
    at !== null && at !== Object.prototype;
    at = Object.getPrototypeOf(at)
  ) {
    chain.unshift(at);
  }
  for (const prototype of chain)
    for (const [property, tags] of members.get(prototype) ?? []) all.set(property, { ...all.get(property), ...tags });
  return all;
}
