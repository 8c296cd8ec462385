import { createRequire } from 'node:module';
import type { Ajv as AjvClass, Options } from 'ajv';
import type { TSchema } from 'typebox';
import { inDraft2020 } from './draft-2020.js';
import { issuesFrom } from './issues.js';
import { addVocabulary } from './vocabulary.js';
import type { Validator } from './validator.js';

// Loaded on first use: importing Ajv costs more than the rest of the kernel's start, and generated validators do without.
const require = createRequire(import.meta.url);

/** Ajv's settings, the same at run time and in generated code. */
export function ajvOptions(coerce: boolean): Options {
  return {
    allErrors: true,
    useDefaults: true,
    coerceTypes: coerce ? 'array' : false,
    strict: false,
    allowUnionTypes: true,
  };
}

const instances = new Map<boolean, AjvClass>();

/** Compiles a schema with Ajv in this process; see `fw codegen` for the way without. */
export function compileAtRunTime(schema: TSchema, coerce: boolean): Validator {
  const check = ajv(coerce).compile(inDraft2020(schema));
  return { check: (value) => issuesFrom(check, value) };
}

function ajv(coerce: boolean): AjvClass {
  const known = instances.get(coerce);
  if (known) return known;
  const { Ajv2020 } = require('ajv/dist/2020.js') as { Ajv2020: new (options: Options) => AjvClass };
  // `optimize: false` and `validateSchema: false` cut compile time by more than half; schemas are checked by lint instead.
  const made = new Ajv2020({ ...ajvOptions(coerce), validateSchema: false, code: { optimize: false } });
  addVocabulary(made);
  instances.set(coerce, made);
  return made;
}
