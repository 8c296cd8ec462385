type Node = Readonly<Record<string, unknown>>;
type Convert = (part: unknown) => unknown;

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
 * The keywords of a schema whose parts are schemas, with those parts converted (JSON Schema 2020-12, Core, section 10).
 *
 * @returns only the keywords whose value changed
 */
export function changedParts(node: Node, convert: Convert): Record<string, unknown> {
  return {
    // Earlier drafts have a list under `items`.
    ...changed(node, SINGLE, (part) => (Array.isArray(part) ? convertedList(part, convert) : convert(part))),
    ...changed(node, LISTS, (list) => convertedList(list, convert)),
    ...changed(node, MAPS, (map) => convertedMap(map, convert)),
  };
}

function changed(node: Node, keywords: readonly string[], convert: Convert): Record<string, unknown> {
  const entries = keywords
    .filter((keyword) => keyword in node)
    .map((keyword) => [keyword, convert(node[keyword])] as const);
  return Object.fromEntries(entries.filter(([keyword, part]) => part !== node[keyword]));
}

function convertedList(list: unknown, convert: Convert): unknown {
  if (!Array.isArray(list)) return list;
  const parts = list.map(convert);
  return parts.some((part, index) => part !== list[index]) ? parts : list;
}

function convertedMap(map: unknown, convert: Convert): unknown {
  if (typeof map !== 'object' || map === null) return map;
  const entries = Object.entries(map).map(([name, part]) => [name, convert(part)] as const);
  return entries.some(([name, part]) => part !== (map as Node)[name]) ? Object.fromEntries(entries) : map;
}

/** The parts of a schema that are schemas themselves, `true` and `false` among them. */
export function schemaParts(node: Node): readonly unknown[] {
  const found: unknown[] = [];
  // Uses the walk of `changedParts` without converting anything, so that both know the same keywords.
  changedParts(node, (part) => (found.push(part), part));
  return found;
}
