import { createRequire } from 'node:module';
import type * as Ajv2020Module from 'ajv/dist/2020.js';
import type { Ajv as AjvClass, ValidateFunction } from 'ajv';
import type { TSchema } from 'typebox';
import { fwError } from '../../kernel/errors/index.js';
import { addVocabulary, ajvOptions, compileAlone, namesInherited, readiedAjv } from '../../kernel/schema/index.js';
import { VALIDATOR_ERRORS } from './errors.js';

// Loaded on first use: most runs of code generation find every validator unchanged.
const require = createRequire(import.meta.url);

const instances = new Map<boolean, AjvClass>();

/**
 * Ajv's standalone code of one schema: CommonJS that assigns the validating function to `module.exports` and calls
 * `require` for Ajv's own small run-time parts.
 *
 * @param subject - what the schema belongs to, for the error
 * @throws FwError `FW_CODEGEN_SCHEMA`
 */
export function standaloneCode(schema: TSchema, subject: string): string {
  const ajv = ajvFor(namesInherited(schema));
  const { default: standalone } = require('ajv/dist/standalone') as {
    default: (ajv: AjvClass, check: ValidateFunction) => string;
  };
  try {
    return compileAlone(ajv, schema, (check) => standalone(ajv, check));
  } catch (cause) {
    throw fwError(VALIDATOR_ERRORS.FW_CODEGEN_SCHEMA, { subject, reason: (cause as Error).message }, { cause });
  }
}

function ajvFor(ownProperties: boolean): AjvClass {
  const known = instances.get(ownProperties);
  if (known) return known;
  const { Ajv2020, _ } = require('ajv/dist/2020.js') as typeof Ajv2020Module;
  // Written here with the template tag of this copy of Ajv: in a project with several copies, ajv-formats may use another one, whose code
  // this one cannot print.
  const formats = _`require("ajv-formats/dist/formats").fullFormats`;
  // Not optimised by Ajv, because the bundler does that faster.
  const made = new Ajv2020({ ...ajvOptions(ownProperties), code: { source: true, optimize: false, formats } });
  addVocabulary(made);
  instances.set(ownProperties, readiedAjv(made));
  return made;
}
