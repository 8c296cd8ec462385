import type { TSchema } from 'typebox';
import { type FieldProblem, type JsonSchema, membersOf } from '../../../kernel/index.js';
import { isPrototypeKey } from '../prototype-keys.js';
import { BracketTree } from './bracket-tree.js';

/** Names and values of a query or a form; a repeated name has a list of values. */
export type Pairs = Readonly<Record<string, unknown>>;

/**
 * Combines names with brackets into one value if the name before the brackets is a declared property: `ids[]=1` and `ids[0]=1` to a list,
 * `filter[status]=open` and `lines[0][sku]=x` to objects, as PHP, Rails, `qs` and OpenAPI's style deepObject do. A property that is
 * declared with brackets in its name, and other names, are not changed.
 *
 * @param schema - of the whole input
 * @param source - where the names come from
 * @param depth - most brackets that a name may have
 * @param keepsConstructor - see `withoutPrototypeKeys`
 * @returns a function that gives the pairs with a `BracketTree` for each such property, or the same object when there is none
 */
export function bracketReaderOf(schema: TSchema, source: FieldProblem['in'], depth: number, keepsConstructor: boolean) {
  const declared = new Set(membersOf(schema as JsonSchema).map(({ name }) => name));
  const isMeant = (name: string) => name.includes('[') && !declared.has(name) && declared.has(baseOf(name));
  return (pairs: Pairs, problems: FieldProblem[]): Pairs => {
    if (!hasBrackets(pairs)) return pairs;
    const names = Object.keys(pairs).filter(isMeant);
    if (names.length === 0) return pairs;
    const trees = new Map<string, BracketTree>();
    for (const name of names) {
      const keys = keysOf(name, depth);
      if (typeof keys === 'string') problems.push({ in: source, field: name, rule: 'brackets', message: keys });
      else if (!keys.some((key) => isPrototypeKey(key, keepsConstructor)))
        treeFor(baseOf(name), trees, pairs).plant(keys, listOf(pairs[name]));
    }
    const others = Object.entries(pairs).filter(([name]) => !isMeant(name));
    return Object.fromEntries([...others, ...trees]);
  };
}

function hasBrackets(pairs: Pairs): boolean {
  for (const name in pairs) if (name.includes('[')) return true;
  return false;
}

const NAME = /^[^[\]]+(?:\[[^[\]]*\])+$/;

function baseOf(name: string): string {
  return name.slice(0, name.indexOf('['));
}

// The keys between the brackets, or a message about a mistake.
function keysOf(name: string, depth: number): readonly string[] | string {
  if (!NAME.test(name)) return 'is not written name[], name[0] or name[key]';
  const keys = name.slice(name.indexOf('[') + 1, -1).split('][');
  if (keys.length > depth) return `has more than ${depth} pairs of brackets`;
  // PHP, Rails and qs disagree about the element that the rest belongs to, so it is refused.
  if (keys.slice(0, -1).includes('')) return 'has [] before other brackets: number the elements, as in name[0][key]';
  return keys;
}

// Values of the name without brackets come first in the list.
function treeFor(base: string, trees: Map<string, BracketTree>, pairs: Pairs): BracketTree {
  const known = trees.get(base) ?? new BracketTree(Object.hasOwn(pairs, base) ? listOf(pairs[base]) : []);
  trees.set(base, known);
  return known;
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [value];
}
