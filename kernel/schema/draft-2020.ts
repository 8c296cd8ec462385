import type { TSchema } from 'typebox';
import { isObject } from '../values/index.js';
import { changedParts } from './schema-parts.js';

type Node = Readonly<Record<string, unknown>>;

/** Schema of a bigint in JSON. */
export const BIGINT = { type: 'string', pattern: '^-?\\d+$' } as const;

/**
 * A schema in the form of JSON Schema 2020-12. TypeBox writes tuples as earlier drafts did, with a list under `items`; since 2020-12 that
 * is `prefixItems`, and `items` is what may follow (JSON Schema 2020-12, section 10.3.1). A bigint is text in JSON, and an integer is an
 * {@link exactInteger}.
 *
 * @returns the very same object when nothing had to change
 */
export function inDraft2020(schema: TSchema): TSchema {
  return converted(schema) as TSchema;
}

function converted(value: unknown): unknown {
  if (!isObject(value)) return value;
  const node = typed(value);
  const changes = changedParts(node, converted);
  if (!Array.isArray(node['items'])) return Object.keys(changes).length === 0 ? node : { ...node, ...changes };
  const { items, additionalItems, ...rest } = { ...node, ...changes } as Record<string, unknown>;
  const following = additionalItems === undefined ? {} : { items: converted(additionalItems) };
  return { ...rest, ...((items as unknown[]).length > 0 && { prefixItems: items }), ...following };
}

function typed(node: Node): Node {
  return node['type'] === 'bigint' ? { ...node, ...BIGINT } : exactInteger(node);
}

/**
 * A node of a schema whose integers are limited to safe ones, in what is checked and in what is published: a reader may change a number
 * beyond 2^53 - 1 (RFC 8259, section 6). Other nodes, and one whose own keywords allow no other integers, are returned as they are.
 */
export function exactInteger(node: Node): Node {
  const types = [node['type']].flat();
  if (!types.includes('integer') || types.includes('number')) return node;
  const values = 'const' in node ? [node['const']] : node['enum'];
  if (Array.isArray(values) && values.every((value) => typeof value !== 'number' || Number.isSafeInteger(value)))
    return node;
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum } = node as Readonly<Record<string, number | undefined>>;
  const { MIN_SAFE_INTEGER: least, MAX_SAFE_INTEGER: most } = Number;
  const isAtLeast = (minimum ?? -Infinity) >= least || (exclusiveMinimum ?? -Infinity) >= least - 1;
  const isAtMost = (maximum ?? Infinity) <= most || (exclusiveMaximum ?? Infinity) <= most + 1;
  return isAtLeast && isAtMost
    ? node
    : { ...node, ...(!isAtLeast && { minimum: least }), ...(!isAtMost && { maximum: most }) };
}
