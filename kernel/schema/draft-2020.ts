import type { TSchema } from 'typebox';
import { changedParts } from './schema-parts.js';

type Node = Readonly<Record<string, unknown>>;

/** Schema of a bigint in JSON. */
export const BIGINT = { type: 'string', pattern: '^-?\\d+$' } as const;

/**
 * A schema in the form of JSON Schema 2020-12. TypeBox writes tuples as earlier drafts did, with a list under `items`; since 2020-12 that
 * is `prefixItems`, and `items` is what may follow (JSON Schema 2020-12, section 10.3.1). A bigint is text in JSON. An integer is limited
 * to safe ones: a reader may change a number beyond 2^53 - 1 (RFC 8259, section 6).
 *
 * @returns the very same object when nothing had to change
 */
export function inDraft2020(schema: TSchema): TSchema {
  return converted(schema) as TSchema;
}

function converted(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const node = typed(value as Node);
  const changes = changedParts(node, converted);
  if (!Array.isArray(node['items'])) return Object.keys(changes).length === 0 ? node : { ...node, ...changes };
  const { items, additionalItems, ...rest } = { ...node, ...changes } as Record<string, unknown>;
  const following = additionalItems === undefined ? {} : { items: converted(additionalItems) };
  return { ...rest, ...((items as unknown[]).length > 0 && { prefixItems: items }), ...following };
}

function typed(node: Node): Node {
  const { type } = node;
  if (type === 'bigint') return { ...node, ...BIGINT };
  const types: readonly unknown[] = Array.isArray(type) ? type : [type];
  return types.includes('integer') && !types.includes('number') ? exactInteger(node) : node;
}

function exactInteger(node: Node): Node {
  const { minimum = -Infinity, maximum = Infinity } = node as { readonly minimum?: number; readonly maximum?: number };
  const [least, most] = [Math.max(minimum, Number.MIN_SAFE_INTEGER), Math.min(maximum, Number.MAX_SAFE_INTEGER)];
  return least === minimum && most === maximum ? node : { ...node, minimum: least, maximum: most };
}
