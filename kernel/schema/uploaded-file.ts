import { Type } from 'typebox';
import type { JsonSchema } from '../contracts/docs.js';
import { isObject } from '../values/index.js';
import { anywhere } from './anywhere.js';
import { type Member, membersOf } from './members.js';
import { RefScope } from './ref-scope.js';

/** Media type of an uploaded file: bytes of any kind. */
export const FILE_MEDIA_TYPE = 'application/octet-stream';

/**
 * Schema of an uploaded file, for the body of a route. The media type of such a body can only be `multipart/form-data`. The file is in a
 * temporary folder and is deleted after the response: move it to keep it.
 *
 * @example input: { body: Type.Object({ title: Type.String(), photo: UploadedFile() }) }
 */
export const UploadedFile = () =>
  Type.Object(
    {
      /** Path of the temporary file. */
      path: Type.String(),
      /** Name that the client gave, without folders. For display only. */
      filename: Type.String(),
      /** Media type that the client gave. Not checked against the content. */
      mimeType: Type.String(),
      /** Bytes. */
      size: Type.Integer(),
    },
    { description: 'Uploaded file', contentMediaType: FILE_MEDIA_TYPE },
  );

/** Whether a schema is that of {@link UploadedFile}. */
export function isFileSchema(schema: unknown): boolean {
  return isObject(schema) && schema['type'] === 'object' && schema['contentMediaType'] === FILE_MEDIA_TYPE;
}

/** Whether there is an uploaded file anywhere in a schema. */
export function takesFiles(schema: unknown): boolean {
  return anywhere(schema, isFileSchema);
}

/**
 * Whether a schema takes an uploaded file where a JSON pointer into its value leads (RFC 6901). What it refers to by name is followed for
 * members of objects.
 */
export function isFileAt(schema: JsonSchema, pointer: string): boolean {
  let at = schema;
  let scope: RefScope | undefined;
  for (const step of pointer.split('/').slice(1)) {
    const name = step.replaceAll('~1', '/').replaceAll('~0', '~');
    const member: Member | undefined = membersOf(at, scope ?? new RefScope(at)).find((each) => each.name === name);
    const items = /^\d+$/.test(step) ? at['items'] : undefined;
    if (member !== undefined) [at, scope] = [member.schema, member.scope];
    else if (isObject(items)) at = items;
    else return false;
  }
  return isFileSchema(at) || [at['anyOf'], at['oneOf']].flat().some(isFileSchema);
}
