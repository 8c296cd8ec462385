import { createRequire } from 'node:module';
import type { Ajv, ValidateFunction } from 'ajv';
import type * as AjvCode from 'ajv/dist/compile/codegen/index.js';
import type { TSchema } from 'typebox';
import type { JsonSchema } from '../contracts/docs.js';
import { inDraft2020 } from './draft-2020.js';
import { schemaParts } from './schema-parts.js';
import { selfContained } from './self-contained.js';
import { isSchema } from './ref-scope.js';

const require = createRequire(import.meta.url);

/**
 * Compiles a schema as if it were the only one that an Ajv instance ever sees: the meaning of its names and references does not depend on
 * schemas that were compiled before, by any application of the process, and the instance keeps nothing of it.
 *
 * @param use - called with the compiled function while the instance still knows it
 * @throws UnknownReference when a `$ref` leads nowhere; Error when Ajv refuses the schema
 */
export function compileAlone<Result>(ajv: Ajv, schema: TSchema, use: (check: ValidateFunction) => Result): Result {
  const alone = withoutNames(inDraft2020(schema) as JsonSchema);
  try {
    return use(ajv.compile(alone));
  } finally {
    ajv.removeSchema(alone);
    forgetNames(ajv);
  }
}

/** Prepares an Ajv instance, so that the first schema compiles like every later one. */
export function readiedAjv(ajv: Ajv): Ajv {
  // The metaschema is compiled with the first schema, and would change the numbers in its code.
  if (ajv.opts.validateSchema !== false) void ajv.validateSchema({});
  forgetNames(ajv);
  return ajv;
}

// An Ajv instance keeps schemas by `$id`, nested ones too, and of two with one name the last wins.
function withoutNames(schema: JsonSchema): JsonSchema {
  return hasNames(schema) ? selfContained(schema) : schema;
}

const NAMING = ['$id', '$anchor', '$dynamicAnchor', '$ref', '$dynamicRef'];

function hasNames(schema: unknown): boolean {
  return isSchema(schema) && (NAMING.some((word) => word in schema) || schemaParts(schema).some(hasNames));
}

// Ajv numbers the names in its code across all schemas that it has compiled, and keeps their values.
function forgetNames(ajv: Ajv): void {
  const { ValueScope } = require('ajv/dist/compile/codegen') as typeof AjvCode;
  const { _prefixes: prefixes } = ajv.scope as unknown as { readonly _prefixes: Set<string> };
  Object.assign(ajv, { scope: new ValueScope({ scope: {}, prefixes }) });
}
