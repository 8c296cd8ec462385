import type { Declared, Kind } from './declared-parts.js';

/** Called with the path of a member that is left out, as in `orders[].customer.passwordHash`. */
export type OnUndeclared = (path: string) => void;

/** Filter for objects or arrays under some schemas. */
export type Part = (value: object, path: string, onUndeclared: OnUndeclared | undefined) => unknown;

/** A {@link Part} that keeps everything. */
export const ALL: Part = (value) => value;

/** A {@link Part} that removes everything: the schemas declare no value of that kind. */
export const NOTHING: Part = (value, path, onUndeclared) => {
  if (onUndeclared && Object.keys(value).length > 0) onUndeclared(path === '' ? 'the whole of it' : path);
  return Array.isArray(value) ? [] : {};
};

/** Filter for a value under schemas that all apply. */
export interface Filter {
  readonly object: Part;
  readonly array: Part;
  /** Whether bytes are sent as base64 text (`contentEncoding`). */
  readonly base64: boolean;
}

/** Interface by which the filters of objects, arrays and choices get the filters of their parts. */
export interface Filters {
  /** The filter for schemas that all apply to one value. */
  filter(declared: readonly Declared[]): Filter;
  /** The filter for values of one kind. */
  part(declared: readonly Declared[], kind: Kind): Part;
}
