import type { TSchema } from 'typebox';
import type { JsonSchema } from '../../../kernel/index.js';
import { isFileAt } from '../../../kernel/schema/index.js';
import { isObject } from '../../../kernel/values/index.js';

/** Members of an uploaded file. */
const MEMBERS = ['path', 'filename', 'mimeType', 'size'];

/**
 * Pointers (RFC 6901) to what a form gives out as an uploaded file. Fields may have brackets in their names, `photo[path]=/etc/passwd`, and so
 * be an object of any content where the schema takes a file; handlers open its path.
 *
 * @param schema - of the body
 * @param value - the body as its schema reads it
 * @param stored - paths of the files that the body had
 */
export function forgedFiles(schema: TSchema, value: unknown, stored: ReadonlySet<unknown>): readonly string[] {
  const found: string[] = [];
  const walk = (part: unknown, pointer: string): void => {
    if (Array.isArray(part)) return part.forEach((item, at) => walk(item, `${pointer}/${at}`));
    if (!isObject(part) || stored.has(part['path'])) return;
    // Whatever looks like a file is none either, should a schema take files in a way that is not followed.
    if (isFileAt(schema as JsonSchema, pointer) || MEMBERS.every((name) => name in part)) found.push(pointer);
    for (const [name, member] of Object.entries(part))
      walk(member, `${pointer}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`);
  };
  walk(value, '');
  return found;
}
