/** `createdAt` -> `created_at`, `UserID` -> `user_id`, `HTTPServer` -> `http_server`. */
export function snakeCase(name: string): string {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/([A-Z]+)([A-Z][a-z])/g, '$1_$2')
    .toLowerCase();
}

/** Plural of an English noun in snake case, as far as table names need it: `day` -> `days`, `city` -> `cities`. */
export function plural(noun: string): string {
  if (/[^aeiou]y$/.test(noun)) return `${noun.slice(0, -1)}ies`;
  return /(s|x|z|ch|sh)$/.test(noun) ? `${noun}es` : `${noun}s`;
}

/** `order_lines` -> `order_line`; what foreign key columns are called after. */
export function singular(noun: string): string {
  if (noun.endsWith('ies')) return `${noun.slice(0, -3)}y`;
  if (/(s|x|z|ch|sh)es$/.test(noun)) return noun.slice(0, -2);
  return noun.endsWith('s') ? noun.slice(0, -1) : noun;
}

/** Table of a class that names none. */
export const tableNameOf = (className: string): string => plural(snakeCase(className));

/** `User` -> `user`, `HTTPLog` -> `httpLog`: the name of a model's accessors. */
export function camelCase(name: string): string {
  return snakeCase(name).replace(/_+([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}

/** `OrderLine` -> `order-line`: the file of a model. */
export const kebabCase = (name: string): string => snakeCase(name).replaceAll('_', '-');
