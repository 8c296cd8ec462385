import { createRequire } from 'node:module';
import type * as AjvModule from 'ajv';
import type { Ajv, CodeKeywordDefinition } from 'ajv';
import { replaceEqualityKeywords } from './equality.js';

const require = createRequire(import.meta.url);

/**
 * Teaches an Ajv instance what fw's schemas use beside JSON Schema: the formats (`date-time`, `email`, `uuid`, ...), the
 * keyword `typeof` for callbacks among options, and `secret`, which marks a value that no page or log may show.
 */
export function addVocabulary(ajv: Ajv): void {
  (require('ajv-formats') as { default: (instance: Ajv) => void }).default(ajv);
  replaceEqualityKeywords(ajv);
  ajv.addKeyword(typeOfKeyword());
  ajv.addKeyword({ keyword: 'secret', schemaType: 'boolean' });
}

// A code keyword: standalone code then needs no import from fw.
function typeOfKeyword(): CodeKeywordDefinition {
  const { _ } = require('ajv') as typeof AjvModule;
  return {
    keyword: 'typeof',
    schemaType: 'string',
    code: (context) => context.pass(_`typeof ${context.data} === ${context.schema as string}`),
    error: { message: ({ schema }) => `must be a ${String(schema)}` },
  };
}
