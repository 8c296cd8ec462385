import { Type } from 'typebox';

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
  if (typeof schema !== 'object' || schema === null) return false;
  const { type, contentMediaType } = schema as { readonly type?: unknown; readonly contentMediaType?: unknown };
  return type === 'object' && contentMediaType === FILE_MEDIA_TYPE;
}

/** Whether there is an uploaded file anywhere in a schema. */
export function takesFiles(schema: unknown): boolean {
  if (typeof schema !== 'object' || schema === null) return false;
  return isFileSchema(schema) || Object.values(schema).some(takesFiles);
}
