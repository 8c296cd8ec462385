import { Type } from 'typebox';
import { type OptionsInput, withDefault } from '../../../kernel/index.js';

export const compressionOptionsSchema = Type.Object({
  threshold: withDefault(
    Type.Integer({ description: 'Bodies with fewer bytes are sent as they are', minimum: 0 }),
    1024,
  ),
  types: withDefault(
    Type.Array(Type.String({ pattern: '^[\\w!#$&^.+-]+/[\\w!#$&^.+-]+$' }), {
      description:
        'Media types that are compressed besides text, JSON, XML and their kin, such as application/x-protobuf; parameters are left out',
    }),
    [],
  ),
  brotli: withDefault(
    Type.Union([Type.Literal('runtime'), Type.Literal('wasm')], {
      description:
        'Which brotli: of the runtime, or of the package brotli-wasm, which is several times slower and leaves streams to gzip',
    }),
    'runtime',
  ),
  brotliQuality: withDefault(Type.Integer({ description: 'Brotli quality', minimum: 0, maximum: 11 }), 4),
  gzipLevel: withDefault(Type.Integer({ description: 'Level of gzip and deflate', minimum: 0, maximum: 9 }), 6),
  poolSize: withDefault(Type.Integer({ description: 'Large bodies compressed at once per algorithm', minimum: 1 }), 4),
  maxWaiting: withDefault(
    Type.Integer({ description: 'Large bodies that may wait per algorithm; more are sent as they are', minimum: 0 }),
    256,
  ),
  maxStreams: withDefault(
    Type.Integer({ description: 'Streams compressed at once per algorithm; more are sent as they are', minimum: 0 }),
    64,
  ),
});

/** Options of `compressionMiddleware`. */
export type CompressionOptions = OptionsInput<typeof compressionOptionsSchema>;
