import { createHash } from 'node:crypto';

/** A name of at most so many letters. Databases cut long names, each at a place of its own; here a digest ends them. */
export function cutName(name: string, most: number): string {
  return name.length <= most ? name : `${name.slice(0, most - 9)}_${digest(name, 8)}`;
}

/** Names that indexes and keys have, so that a new one gets another. Case does not count: databases differ in whether it does. */
export class TakenNames {
  readonly #taken = new Set<string>();

  constructor(names: Iterable<string> = []) {
    for (const name of names) this.#taken.add(name.toLowerCase());
  }

  release(name: string): void {
    this.#taken.delete(name.toLowerCase());
  }

  /** The name, or one that a digest makes unlike those that are taken. From now on it is taken itself. */
  take(name: string): string {
    let free = name;
    for (let count = 1; this.#taken.has(free.toLowerCase()); count++) free = withDigest(name, `${name} ${count}`);
    this.#taken.add(free.toLowerCase());
    return free;
  }
}

/** A name with a digest of a text in it, before the ending that tells what it names. */
export function withDigest(name: string, text: string): string {
  const [, stem = '', ending = ''] = /^(.*?)(_key|_idx|_fkey)?$/.exec(name) ?? [];
  return `${cutName(stem, LONGEST_NAME - ending.length - 9)}_${digest(text, 8)}${ending}`;
}

const LONGEST_NAME = 60;

/** Schema of a table's name (`auth` of `auth.users`); empty where it names none. */
export const schemaOf = (table: string): string => table.slice(0, Math.max(table.lastIndexOf('.'), 0));

/**
 * First letters of a text's SHA-256 in hexadecimal digits, of which there are 64. Not by `digestOf` of the kernel: with it the tables
 * of a program that uses `fw/orm` as a library would bring the kernel for applications.
 */
export const digest = (text: string, letters: number): string =>
  createHash('sha256').update(text).digest('hex').slice(0, letters);
