import { createHash } from 'node:crypto';

/** A name of at most so many letters. Databases cut long names, each at a place of its own; here a digest ends them. */
export function cutName(name: string, most: number): string {
  return name.length <= most ? name : `${name.slice(0, most - 9)}_${digest(name, 8)}`;
}

/**
 * First letters of a text's SHA-256 in hexadecimal digits, of which there are 64. Not by `digestOf` of the kernel: with it the tables
 * of a program that uses `fw/orm` as a library would bring the kernel for applications.
 */
export const digest = (text: string, letters: number): string =>
  createHash('sha256').update(text).digest('hex').slice(0, letters);
