import type { TSchema } from 'typebox';
import { isObject } from '../../kernel/values/index.js';

/** Removes undeclared members in place. */
type Pruner = (value: unknown) => void;

interface ObjectShape {
  readonly type?: unknown;
  readonly properties?: Readonly<Record<string, TSchema>>;
  readonly items?: TSchema;
}

// Keywords with which `properties` alone does not give all members.
const OPEN = [
  'additionalProperties',
  'patternProperties',
  'unevaluatedProperties',
  'allOf',
  'anyOf',
  'oneOf',
  '$ref',
  'if',
];

/**
 * Removes undeclared members at any depth, so that a handler that passes its input on does not pass on undeclared data. A schema with
 * `additionalProperties` keeps or refuses them as it says.
 *
 * @returns undefined when nothing could be removed
 */
export function prunerOf(schema: TSchema): Pruner | undefined {
  const { type, properties, items } = schema as ObjectShape;
  if (type === 'array' && typeof items === 'object' && !Array.isArray(items)) return arrayPruner(items);
  if (type !== 'object' || properties === undefined || OPEN.some((key) => key in schema)) return undefined;
  return objectPruner(properties);
}

function arrayPruner(items: TSchema): Pruner | undefined {
  const prune = prunerOf(items);
  return prune && ((value) => Array.isArray(value) && value.forEach(prune));
}

function objectPruner(properties: Readonly<Record<string, TSchema>>): Pruner {
  const known = new Set(Object.keys(properties));
  const nested = Object.entries(properties).flatMap(([name, schema]) => {
    const prune = prunerOf(schema);
    return prune ? [[name, prune] as const] : [];
  });
  return (value) => {
    if (!isObject(value)) return;
    const members = value as Record<string, unknown>;
    for (const name of Object.keys(members)) if (!known.has(name)) delete members[name];
    for (const [name, prune] of nested) if (Object.hasOwn(members, name)) prune(members[name]);
  };
}
