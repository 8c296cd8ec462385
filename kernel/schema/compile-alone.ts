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
 * Compiles a schema as if it were the only one that an Ajv instance ever sees: what its names and references mean depends on
 * nothing that was compiled before, by whichever application of the process, and the instance keeps nothing of it.
 *
 * @param use - what is made of the compiled function, while the instance still knows it
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

/** Makes an Ajv instance such that the first schema meets it as every later one does. */
export function readiedAjv(ajv: Ajv): Ajv {
  // The schema of schemas is compiled when the first one is checked, and would be counted in its code.
  if (ajv.opts.validateSchema !== false) void ajv.validateSchema({});
  forgetNames(ajv);
  return ajv;
}

// Ajv knows schemas by `$id` for as long as it lives, nested ones too, and the last of one name wins.
function withoutNames(schema: JsonSchema): JsonSchema {
  return hasNames(schema) ? selfContained(schema) : schema;
}

const NAMING = ['$id', '$anchor', '$dynamicAnchor', '$ref', '$dynamicRef'];

function hasNames(schema: unknown): boolean {
  return isSchema(schema) && (NAMING.some((word) => word in schema) || schemaParts(schema).some(hasNames));
}

// Ajv numbers the names in its code through all schemas that it has seen, and keeps what they stand for.
function forgetNames(ajv: Ajv): void {
  const { ValueScope } = require('ajv/dist/compile/codegen') as typeof AjvCode;
  const { _prefixes: prefixes } = ajv.scope as unknown as { readonly _prefixes: Set<string> };
  Object.assign(ajv, { scope: new ValueScope({ scope: {}, prefixes }) });
}
