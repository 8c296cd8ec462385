import { createRequire } from 'node:module';
import type { Ajv as AjvClass, Options } from 'ajv';
import type { TSchema } from 'typebox';
import { compileAlone, readiedAjv } from './compile-alone.js';
import { namesInherited } from './inherited-names.js';
import { issuesFrom } from './issues.js';
import { addVocabulary } from './vocabulary.js';
import type { Validator } from './validator.js';

// Loaded on first use: importing Ajv takes longer than the rest of the kernel's start, and generated validators do not need it.
const require = createRequire(import.meta.url);

/**
 * Ajv's settings for a schema, the same at run time and in generated code. Every object inherits a `toString`: if a schema names such a
 * property, only own members of a value count.
 */
export function ajvOptions(ownProperties: boolean): Options {
  // `1e400` is valid JSON but is read as Infinity, which JSON can only write as null.
  const strictness = { strict: false, strictNumbers: true };
  return { allErrors: true, useDefaults: true, ...strictness, allowUnionTypes: true, ownProperties };
}

// Instances live as long as the process, but keep nothing of a schema.
const instances = new Map<boolean, AjvClass>();

/** Compiles a schema with Ajv in this process; `fw codegen` avoids that. */
export function compileAtRunTime(schema: TSchema): Validator {
  const check = compileAlone(ajv(namesInherited(schema)), schema, (compiled) => compiled);
  return { check: (value) => issuesFrom(check, value) };
}

function ajv(ownProperties: boolean): AjvClass {
  const known = instances.get(ownProperties);
  if (known) return known;
  const { Ajv2020 } = require('ajv/dist/2020.js') as { Ajv2020: new (options: Options) => AjvClass };
  // `optimize: false` and `validateSchema: false` cut compile time by more than half; schemas are checked by lint instead.
  const speed = { validateSchema: false, addUsedSchema: false, code: { optimize: false } };
  const made = new Ajv2020({ ...ajvOptions(ownProperties), ...speed });
  addVocabulary(made);
  instances.set(ownProperties, readiedAjv(made));
  return made;
}
