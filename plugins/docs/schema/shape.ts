import { fwError, isJsonSchema, type JsonSchema } from '../../../kernel/index.js';
import { DOCS_ERRORS } from '../errors.js';
import { schemaOfExample } from './example-schema.js';

/** Schema of a model class; undefined for other classes. */
export type ModelSchemas = (model: object) => JsonSchema | undefined;

/** What is known about a declared shape. */
export interface Shape {
  readonly schema: JsonSchema;
  /** The value that the shape was given by, when it was one. */
  readonly example?: unknown;
}

type Constructor = new () => object;

/**
 * Reads a shape as `RouteDoc.output` and `InputGroup.fields` take it: a schema, a model class or an array of one, or an
 * example value.
 *
 * @param where - route, for the error
 * @returns undefined for no shape at all
 * @throws FwError `FW_DOCS_SHAPE`
 */
export function readShape(value: unknown, models: ModelSchemas, where: string): Shape | undefined {
  if (value === undefined || value === null) return undefined;
  if (isJsonSchema(value)) return { schema: value as JsonSchema };
  if (typeof value === 'function') return { schema: schemaOfClass(value as Constructor, models, where) };
  if (Array.isArray(value) && value.length === 1 && typeof value[0] === 'function') {
    return { schema: { type: 'array', items: schemaOfClass(value[0] as Constructor, models, where) } };
  }
  return { schema: schemaOfExample(value), example: value };
}

function schemaOfClass(target: Constructor, models: ModelSchemas, where: string): JsonSchema {
  const known = models(target);
  if (known) return 'title' in known || '$id' in known ? known : { title: target.name, ...known };
  try {
    return { title: target.name, ...schemaOfExample(new target()) };
  } catch (cause) {
    const problem = cause instanceof Error ? cause.message : String(cause);
    throw fwError(DOCS_ERRORS.FW_DOCS_SHAPE, { shape: target.name || '(anonymous)', where, problem }, { cause });
  }
}
