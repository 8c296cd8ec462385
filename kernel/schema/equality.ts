import { createRequire } from 'node:module';
import type * as AjvModule from 'ajv';
import type { Ajv, Code, CodeKeywordDefinition, KeywordCxt } from 'ajv';

const require = createRequire(import.meta.url);

/**
 * Replaces Ajv's `uniqueItems`, `const` and `enum`. Ajv's own call `valueOf` and `toString` of objects, which throws if a body has members
 * of these names, and compare every item of an array with every other one.
 */
export function replaceEqualityKeywords(ajv: Ajv): void {
  for (const definition of [uniqueItems(), constant(), enumeration()]) {
    ajv.removeKeyword(definition.keyword as string);
    ajv.addKeyword(definition);
  }
}

/**
 * Gives equal values (JSON Schema 2020-12, section 4.2.2) the same text, and different values different texts. Values that JSON does not
 * have, such as functions among options, are equal if they have the same type and print the same.
 *
 * Standalone code carries the text of this function: it may use nothing of this module.
 */
export function canonicalText(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  if (typeof value !== 'object')
    return typeof value === 'string' ? JSON.stringify(value) : typeof value + String(value);
  if (Array.isArray(value)) return `[${value.map(canonicalText).join()}]`;
  if (value instanceof Date) return `date${value.getTime()}`;
  const members = value as Record<string, unknown>;
  const texts = Object.keys(members).sort().map((name) => `${JSON.stringify(name)}:${canonicalText(members[name])}`); // prettier-ignore
  return `{${texts.join()}}`;
}

/** Indices of the first two items that are equal, the later one first; like {@link canonicalText} on its own in standalone code. */
function equalItems(
  items: readonly unknown[],
  textOf: (value: unknown) => string,
): readonly [number, number] | undefined {
  const seen = new Map<string, number>();
  for (let index = 0; index < items.length; index++) {
    const text = textOf(items[index]);
    const before = seen.get(text);
    if (before !== undefined) return [index, before];
    seen.set(text, index);
  }
  return undefined;
}

const ajvModule = () => require('ajv') as typeof AjvModule;

// Inserts the source text of the function, so that standalone code needs no import from fw.
function inScope({ gen }: KeywordCxt, ref: (...args: never[]) => unknown): Code {
  const text = [`(${ref.toString()})`];
  return gen.scopeValue('func', { ref, code: ajvModule()._(Object.assign(text, { raw: text })) });
}

function uniqueItems(): CodeKeywordDefinition {
  const { _ } = ajvModule();
  return {
    keyword: 'uniqueItems',
    type: 'array',
    schemaType: 'boolean',
    error: {
      message: 'must not have two items that are equal',
      params: ({ params }) => _`{i: ${params['pair']}[0], j: ${params['pair']}[1]}`,
    },
    code: (context) => {
      if (context.schema !== true) return;
      const [find, textOf] = [inScope(context, equalItems), inScope(context, canonicalText)];
      const pair = context.gen.const('pair', _`${find}(${context.data}, ${textOf})`);
      context.setParams({ pair });
      context.fail(_`${pair} !== undefined`);
    },
  };
}

function constant(): CodeKeywordDefinition {
  const { _ } = ajvModule();
  return {
    keyword: 'const',
    error: { message: 'must be equal to constant', params: ({ schemaCode }) => _`{allowedValue: ${schemaCode}}` },
    code: (context) => context.pass(equals(context, context.schema)),
  };
}

function enumeration(): CodeKeywordDefinition {
  const { _ } = ajvModule();
  return {
    keyword: 'enum',
    schemaType: 'array',
    error: {
      message: 'must be equal to one of the allowed values',
      params: ({ schemaCode }) => _`{allowedValues: ${schemaCode}}`,
    },
    code: (context) => {
      const plain = _`${context.schemaCode}.includes(${context.data})`;
      const structures = (context.schema as unknown[]).filter(isStructure);
      const equal = structures.map((each) => equals(context, each));
      context.pass(equal.reduce((parts: Code, part) => _`${parts} || ${part}`, plain));
    },
  };
}

function isStructure(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}

// Only objects and arrays need more than `===`; the canonical text of the allowed value is computed at compile time.
function equals(context: KeywordCxt, allowed: unknown): Code {
  const { _ } = ajvModule();
  if (!isStructure(allowed)) return _`${context.data} === ${context.schemaCode}`;
  return _`${inScope(context, canonicalText)}(${context.data}) === ${canonicalText(allowed)}`;
}
