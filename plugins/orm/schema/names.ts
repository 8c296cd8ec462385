import { createHash } from 'node:crypto';
import { nameParts, nameText, snakeCase } from '../core/index.js';

/** Shortens a name to a maximum length. Databases truncate long names at different lengths; here the shortened name ends in a digest. */
export function cutName(name: string, most: number): string {
  return name.length <= most ? name : `${name.slice(0, most - 9)}_${digest(name, 8)}`;
}

/** Names in use by indexes and keys, so that a new one gets a different name. Ignores case, because databases differ in it. */
export class TakenNames {
  readonly #taken = new Set<string>();

  constructor(names: Iterable<string> = []) {
    for (const name of names) this.#taken.add(name.toLowerCase());
  }

  release(name: string): void {
    this.#taken.delete(name.toLowerCase());
  }

  /** Returns the name, or a variant with a digest if it is in use, and reserves it. */
  take(name: string): string {
    let free = name;
    for (let count = 1; this.#taken.has(free.toLowerCase()); count++) free = withDigest(name, `${name} ${count}`);
    this.#taken.add(free.toLowerCase());
    return free;
  }
}

/** Inserts a digest of a text into a name, before its suffix. */
function withDigest(name: string, text: string): string {
  const [, stem = '', ending = ''] = /^(.*?)(_key|_idx|_fkey)?$/.exec(name) ?? [];
  return `${cutName(stem, LONGEST_NAME - ending.length - 9)}_${digest(text, 8)}${ending}`;
}

const LONGEST_NAME = 60;

/** Schema of a table's name (`auth` of `auth.users`); empty where it names none. */
export const schemaOf = (table: string): string => (nameParts(table) ?? []).slice(0, -1).map(nameText).join('.');

/** A table's name without its schema, as the database has it. */
export const bareName = (table: string): string => nameParts(table)?.at(-1) ?? table;

/** Parts for a generated name: letters, digits and underscores. */
export const namedBy = (table: string, parts: readonly string[]): string =>
  [snakeCase(table.replaceAll('.', '_')), ...parts]
    .join('_')
    .replace(/\W+/g, '_')
    .replace(/^(?=\d)/, '_');

/**
 * First letters of a text's SHA-256 in hexadecimal digits, of which there are 64. Not by `digestOf` of the kernel: with it the tables
 * of a program that uses `fw/orm` as a library would bring the kernel for applications.
 */
export const digest = (text: string, letters: number): string =>
  createHash('sha256').update(text).digest('hex').slice(0, letters);
