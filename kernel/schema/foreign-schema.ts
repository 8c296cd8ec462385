import { createRequire } from 'node:module';
import type { Ajv as AjvClass, ErrorObject, Options } from 'ajv';
import { replaceEqualityKeywords } from './equality.js';

const require = createRequire(import.meta.url);

/** A failure of a value against somebody else's schema. */
export interface ForeignIssue {
  /** JSON pointer into the value (RFC 6901), without the member that is missing or too much. */
  readonly path: string;
  readonly keyword: string;
  /** Where the keyword stands in the schema, as a JSON pointer. */
  readonly schemaPath: string;
  readonly params: Readonly<Record<string, unknown>>;
  /** The schema object that holds the keyword. */
  readonly parentSchema: Readonly<Record<string, unknown>>;
}

/** Checks values against one foreign schema; the value is never changed. */
export interface ForeignValidator {
  check(value: unknown): readonly ForeignIssue[];
}

/**
 * Compiles a JSON Schema that is not ours, e.g. from another service's OpenAPI document. Unlike `validatorOf` nothing is
 * remembered here, so that a validator that is let go takes its code along, and defaults are not filled in. Unknown formats
 * and keywords are passed over; remote `$ref`s are not followed.
 *
 * @throws Error of Ajv when the schema cannot be compiled
 */
export function compileForeignSchema(schema: Readonly<Record<string, unknown>>): ForeignValidator {
  const { Ajv2020 } = require('ajv/dist/2020.js') as { Ajv2020: new (options: Options) => AjvClass };
  const ajv = new Ajv2020({
    allErrors: true,
    strict: false,
    validateSchema: false,
    validateFormats: true,
    verbose: true,
    logger: false,
    addUsedSchema: false,
    code: { optimize: false },
  });
  (require('ajv-formats') as { default: (instance: AjvClass) => void }).default(ajv);
  replaceEqualityKeywords(ajv);
  const check = ajv.compile(schema);
  return { check: (value) => (check(value) ? [] : (check.errors ?? []).map(toIssue)) };
}

function toIssue({ instancePath, keyword, schemaPath, params, parentSchema }: ErrorObject): ForeignIssue {
  return { path: instancePath, keyword, schemaPath, params, parentSchema: parentSchema ?? {} };
}
