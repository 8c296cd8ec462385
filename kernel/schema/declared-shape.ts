import type { JsonSchema } from '../contracts/docs.js';
import { schemaOfExample } from './example-schema.js';
import { isJsonSchema } from './is-json-schema.js';
import { messageOf } from '../errors/index.js';

/** Schema of a model class; undefined for other classes. */
export type ModelSchemas = (model: object) => JsonSchema | undefined;

/** What is known about a declared shape. */
export interface Shape {
  readonly schema: JsonSchema;
  /** The example value, if the shape was given by one. */
  readonly example?: unknown;
}

/** Makes the error for a class that cannot be instantiated, and so has no readable shape. */
type UnreadableShape = (shape: string, problem: string, cause: unknown) => Error;

type Constructor = new () => object;

/**
 * Reads a shape as `RouteOptions.output`, `RouteDoc.output` and `InputGroup.fields` take it: a schema, a model class or an array
 * of one, or an example value.
 *
 * @param unreadable - makes the error that is thrown
 * @returns undefined for no shape at all
 */
export function readShape(value: unknown, models: ModelSchemas, unreadable: UnreadableShape): Shape | undefined {
  if (value === undefined || value === null) return undefined;
  if (isJsonSchema(value)) return { schema: value as JsonSchema };
  const listed = Array.isArray(value) && value.length === 1 ? (value[0] as unknown) : undefined;
  if (typeof listed === 'function')
    return { schema: { type: 'array', items: schemaOfClass(listed as Constructor, models, unreadable) } };
  if (typeof value === 'function') return { schema: schemaOfClass(value as Constructor, models, unreadable) };
  return { schema: schemaOfExample(value), example: value };
}

function schemaOfClass(target: Constructor, models: ModelSchemas, unreadable: UnreadableShape): JsonSchema {
  const known = models(target);
  if (known) return 'title' in known || '$id' in known ? known : { title: target.name, ...known };
  try {
    return { title: target.name, ...schemaOfExample(new target()) };
  } catch (cause) {
    const problem = messageOf(cause);
    throw unreadable(target.name || '(anonymous)', problem, cause);
  }
}
