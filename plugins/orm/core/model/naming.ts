import { createRequire } from 'node:module';
import type * as Pluralize from 'pluralize';

// Loaded where the first plural is asked for: whoever names every table and key needs no package.
const require = createRequire(import.meta.url);
const pluralize = (): typeof Pluralize => require('pluralize') as typeof Pluralize;

/** `createdAt` -> `created_at`, `UserID` -> `user_id`, `HTTPServer` -> `http_server`. */
export function snakeCase(name: string): string {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/([A-Z]+)([A-Z][a-z])/g, '$1_$2')
    .toLowerCase();
}

// Words for which the library's plural is unusual, or cannot be turned back.
const OWN_PLURALS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    axis: 'axes',
    basis: 'bases',
    cookie: 'cookies',
    lens: 'lenses',
    media: 'media',
    money: 'money',
    schema: 'schemas',
    shoe: 'shoes',
    stigma: 'stigmas',
    virus: 'viruses',
  }),
);
const OWN_SINGULARS: ReadonlyMap<string, string> = new Map([...OWN_PLURALS].map(([one, many]) => [many, one]));

/** Plural of an English noun, of the last word where there are several: `day` -> `days`, `news_item` -> `news_items`. */
export const plural = (noun: string): string =>
  ofLastWord(noun, (word) => OWN_PLURALS.get(word) ?? pluralize().plural(word));

/** `order_lines` -> `order_line`; what foreign key columns are called after. */
export const singular = (noun: string): string =>
  ofLastWord(noun, (word) => OWN_SINGULARS.get(word) ?? pluralize().singular(word));

function ofLastWord(noun: string, change: (word: string) => string): string {
  const [word = ''] = /[^_.\s-]*$/.exec(noun) ?? [];
  return noun.slice(0, noun.length - word.length) + (word === '' ? '' : change(word));
}

/** Table of a class that names none. */
export const tableNameOf = (className: string): string => plural(snakeCase(className));

/** `User` -> `user`, `HTTPLog` -> `httpLog`: the name of a model's accessors. */
export function camelCase(name: string): string {
  return snakeCase(name).replace(/_+([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}

/** `OrderLine` -> `order-line`: the file of a model. */
export const kebabCase = (name: string): string => snakeCase(name).replaceAll('_', '-');
