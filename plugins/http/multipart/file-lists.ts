import type { TSchema } from 'typebox';
import { isFileSchema } from '../../../kernel/index.js';

/**
 * A form with one file looks the same whether the field takes one or many. Puts a single file of a field that takes a list
 * into one, in place; the validator does so for text alone.
 *
 * @returns undefined when the schema has no lists of files
 */
export function fileListsOf(schema: TSchema): ((value: unknown) => void) | undefined {
  const properties = (schema as { properties?: Record<string, { items?: unknown }> }).properties ?? {};
  const names = Object.keys(properties).filter((name) => isFileSchema(properties[name]?.items));
  if (names.length === 0) return undefined;
  return (value) => {
    if (typeof value !== 'object' || value === null) return;
    const members = value as Record<string, unknown>;
    for (const name of names) {
      const member = members[name];
      if (typeof member === 'object' && member !== null && !Array.isArray(member)) members[name] = [member];
    }
  };
}
