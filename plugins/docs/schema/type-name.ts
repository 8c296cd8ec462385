import type { JsonSchema } from '../../../kernel/index.js';

/** A text as one word: `sku-code of it` is `SkuCodeOfIt`. */
export function pascalCase(text: string): string {
  const words = text.split(/[^A-Za-z0-9]+/).filter((word) => word !== '');
  return words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
}

/** Name of a type, fit for `#/components/schemas/` and for a TypeScript identifier; empty when the text has no letter. */
export function typeName(text: string): string {
  return pascalCase(text).replace(/^[0-9]+/, '');
}

/** Name that a schema gives itself: the last part of its `$id`, or its title. */
export function ownName(schema: JsonSchema): string {
  const { $id: id, title } = schema;
  if (typeof id === 'string' && id !== '')
    return typeName(
      id
        .split(/[/#]/)
        .filter((part) => part !== '')
        .at(-1) ?? '',
    );
  return typeof title === 'string' ? typeName(title) : '';
}

/** Whether a schema is an object with named members: what counts as a level of nesting. */
export function isObjectShape(schema: JsonSchema): boolean {
  const { properties } = schema;
  return typeof properties === 'object' && properties !== null && Object.keys(properties).length > 0;
}

/** How many levels are written out where they are used; what lies deeper appears by name (SPEC "Limits"). */
export const INLINE_LEVELS = 3;
