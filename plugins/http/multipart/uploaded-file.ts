import { Type } from 'typebox';

/**
 * Schema of an uploaded file, for the body of a route that takes `multipart/form-data`. The file lies in a temporary folder
 * and is deleted when the response is over: move it to keep it.
 *
 * @example
 * input: { body: Type.Object({ title: Type.String(), photo: UploadedFile() }) }
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
    { description: 'Uploaded file', contentMediaType: 'application/octet-stream' },
  );
