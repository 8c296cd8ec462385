import { digestOf } from '../../../kernel/fs/digest.js';

/** A name of at most so many letters. Databases cut long names, each at a place of its own; here a digest ends them. */
export function cutName(name: string, most: number): string {
  return name.length <= most ? name : `${name.slice(0, most - 9)}_${digest(name, 8)}`;
}

/** First letters of a text's digest. */
export const digest = (text: string, letters: number): string => digestOf(text).slice(0, letters);
