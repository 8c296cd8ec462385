import { isPrototypeKey } from '../prototype-keys.js';

/** How the parts of a list and of an object are written in one text. */
export interface TextStyle {
  list(text: string): readonly string[];
  /** The text itself when no object is written there. */
  object(text: string): unknown;
}

/** A text is one value: queries and forms have a name for each part. */
export const ONE_VALUE: TextStyle = { list: (text) => [text], object: (text) => text };

const ELEMENTS_IN = {
  // Blanks around a comma and empty elements mean nothing (RFC 9110, section 5.6.1).
  header: (text: string) =>
    text
      .split(',')
      .map((element) => element.trim())
      .filter((element) => element !== ''),
  params: (text: string) => text.split(','),
} as const;

/**
 * OpenAPI's style `simple`, which headers and paths have because their names have one text only (OpenAPI 3.1.0, section 4.8.12.3): a list is
 * `1,2`; an object is `a,1,b,2`, or `a=1,b=2` of a client that explodes it.
 *
 * @param keepsConstructor - see `isPrototypeKey`
 */
export function simpleStyle(source: keyof typeof ELEMENTS_IN, keepsConstructor: boolean): TextStyle {
  const list = ELEMENTS_IN[source];
  return {
    list,
    object(text) {
      const members = membersIn(list(text));
      return members ? Object.fromEntries(members.filter(([name]) => !isPrototypeKey(name, keepsConstructor))) : text;
    },
  };
}

type Pair = readonly [name: string, text: string];

function membersIn(elements: readonly string[]): readonly Pair[] | undefined {
  if (elements.every((element) => element.includes('='))) return elements.map(exploded);
  if (elements.length % 2 === 1) return undefined;
  const names = elements.filter((_, at) => at % 2 === 0);
  return names.map((name, at) => [name, elements[2 * at + 1] as string]);
}

function exploded(element: string): Pair {
  const at = element.indexOf('=');
  return [element.slice(0, at), element.slice(at + 1)];
}
