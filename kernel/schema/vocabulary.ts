import { createRequire } from 'node:module';
import type * as AjvModule from 'ajv';
import type { Ajv, CodeKeywordDefinition } from 'ajv';
import { replaceEqualityKeywords } from './equality.js';

const require = createRequire(import.meta.url);

/**
 * Adds to an Ajv instance what fw's schemas use beside JSON Schema: the formats (`date-time`, `email`, `uuid`, ...), the keyword `typeof`
 * for callbacks among options, `duration` for the range of one, and `secret`, which marks a value that no page or log may show.
 */
export function addVocabulary(ajv: Ajv): void {
  (require('ajv-formats') as { default: (instance: Ajv) => void }).default(ajv);
  replaceEqualityKeywords(ajv);
  ajv.addKeyword(typeOfKeyword());
  ajv.addKeyword(durationKeyword());
  ajv.addKeyword({ keyword: 'secret', schemaType: 'boolean' });
}

// Defined as a code keyword, so that standalone code needs no import from fw.
function typeOfKeyword(): CodeKeywordDefinition {
  const { _ } = require('ajv') as typeof AjvModule;
  return {
    keyword: 'typeof',
    schemaType: 'string',
    code: (context) => context.pass(_`typeof ${context.data} === ${context.schema as string}`),
    error: { message: ({ schema }) => `must be a ${String(schema)}` },
  };
}

interface DurationRange {
  readonly range: string;
  readonly least?: number;
  readonly most?: number;
}

// A value that is no duration passes here: its pattern refuses it.
function durationKeyword(): CodeKeywordDefinition {
  const { _ } = require('ajv') as typeof AjvModule;
  return {
    keyword: 'duration',
    schemaType: 'object',
    code: (context) => {
      const { gen, data } = context;
      const { least = 0, most = Infinity } = context.schema as DurationRange;
      const units = _`{ ms: 1, s: 1000, m: 60000, h: 3600000, d: 86400000 }[String(${data}).replace(/[\\d.]/g, '')]`;
      const length = gen.const('length', _`typeof ${data} == "number" ? ${data} : parseFloat(${data}) * ${units}`);
      context.fail(_`${length} < ${least} || ${length} > ${most}`);
    },
    error: { message: ({ schema }) => `must be ${(schema as DurationRange).range}` },
  };
}
