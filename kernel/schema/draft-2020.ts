import type { TSchema } from 'typebox';

type Node = Readonly<Record<string, unknown>>;

/** What becomes of a bigint in JSON. */
export const BIGINT = { type: 'string', pattern: '^-?\\d+$' } as const;

const SINGLE = [
  'additionalProperties',
  'contains',
  'else',
  'if',
  'items',
  'not',
  'propertyNames',
  'then',
  'unevaluatedItems',
  'unevaluatedProperties',
];
const LISTS = ['allOf', 'anyOf', 'oneOf', 'prefixItems'];
const MAPS = ['$defs', 'definitions', 'dependentSchemas', 'patternProperties', 'properties'];

/**
 * A schema in the form of JSON Schema 2020-12. TypeBox writes tuples as earlier drafts did, with a list under `items`; since
 * 2020-12 that is `prefixItems`, and `items` is what may follow (JSON Schema 2020-12, section 10.3.1). A bigint is text in
 * JSON.
 *
 * @returns the very same object when nothing had to change
 */
export function inDraft2020(schema: TSchema): TSchema {
  return converted(schema) as TSchema;
}

function converted(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const node = ((value as Node)['type'] === 'bigint' ? { ...value, ...BIGINT } : value) as Node;
  const changes: Record<string, unknown> = {
    ...changed(node, SINGLE, (part) => (Array.isArray(part) ? part : converted(part))),
    ...changed(node, LISTS, convertedList),
    ...changed(node, MAPS, convertedMap),
  };
  const { items } = node;
  if (!Array.isArray(items)) return Object.keys(changes).length === 0 ? node : { ...node, ...changes };
  const { items: _items, additionalItems, ...rest } = { ...node, ...changes } as Record<string, unknown>;
  const following = additionalItems === undefined ? {} : { items: converted(additionalItems) };
  return { ...rest, ...(items.length > 0 && { prefixItems: convertedList(items) }), ...following };
}

function changed(
  node: Node,
  keywords: readonly string[],
  convert: (part: unknown) => unknown,
): Record<string, unknown> {
  const entries = keywords
    .filter((keyword) => keyword in node)
    .map((keyword) => [keyword, convert(node[keyword])] as const);
  return Object.fromEntries(entries.filter(([keyword, part]) => part !== node[keyword]));
}

function convertedList(list: unknown): unknown {
  if (!Array.isArray(list)) return list;
  const parts = list.map(converted);
  return parts.some((part, index) => part !== list[index]) ? parts : list;
}

function convertedMap(map: unknown): unknown {
  if (typeof map !== 'object' || map === null) return map;
  const entries = Object.entries(map).map(([name, part]) => [name, converted(part)] as const);
  return entries.some(([name, part]) => part !== (map as Node)[name]) ? Object.fromEntries(entries) : map;
}
