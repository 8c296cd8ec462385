import { type Static, Type } from 'typebox';
import { fwError, validatorOf } from '../../kernel/index.js';
import { LIBRARY_ERRORS } from './library-errors.js';

/** Version of the format that this framework writes and reads. */
const FORMAT = 1;

const Value = Type.Union([Type.String(), Type.Number()]);
const closed = { additionalProperties: false } as const;

/** Column type of a member, if it does not depend on a type parameter. */
const ColumnSchema = Type.Object(
  {
    kind: Type.Enum(
      ['any', 'array', 'bigint', 'boolean', 'bytes', 'date', 'decimal', 'enum', 'float', 'int', 'interval', 'json', 'plainDate', 'plainTime', 'string', 'text', 'uuid'], // prettier-ignore
    ),
    temporal: Type.Optional(Type.Enum(['PlainDate', 'PlainTime', 'PlainDateTime', 'Instant', 'Duration'])),
    nullable: Type.Boolean(),
    values: Type.Optional(Type.Array(Value)),
    element: Type.Optional(Type.String()),
    dimensions: Type.Optional(Type.Integer()),
    isNominal: Type.Optional(Type.Boolean()),
  },
  closed,
);

const Member = Type.Object(
  {
    /** Arguments by name of the decorator; for relations without the function that returns the class. */
    marks: Type.Record(Type.String(), Type.Array(Type.Unknown())),
    column: Type.Optional(ColumnSchema),
  },
  closed,
);

const LibraryClassSchema = Type.Object(
  {
    name: Type.String({ minLength: 1 }),
    members: Type.Record(Type.String(), Member),
    /** For an exported class: the name of the export, and its module. */
    export: Type.Optional(
      Type.Object({ from: Type.String({ minLength: 1 }), name: Type.String({ minLength: 1 }) }, closed),
    ),
    /** For a model: its columns, including inherited ones. */
    columns: Type.Optional(Type.Array(Type.Object({ column: Type.String(), property: Type.String() }, closed))),
  },
  closed,
);

const LibraryFileSchema = Type.Object(
  {
    format: Type.Literal(FORMAT),
    classes: Type.Array(LibraryClassSchema),
    /** Module to import so that the models of the package are registered; missing if the package exports none. */
    generated: Type.Optional(Type.String({ minLength: 1 })),
  },
  closed,
);

/** Description of a class of a package, as code generation wrote it when the package was built. */
export type LibraryClass = Static<typeof LibraryClassSchema>;
/** A package's description of its classes. */
export type LibraryFile = Static<typeof LibraryFileSchema>;

/** The text of a file that a package ships. */
export const libraryText = (file: Omit<LibraryFile, 'format'>): string =>
  `${JSON.stringify({ format: FORMAT, ...file }, null, 1)}\n`;

/**
 * Reads a package's description of its classes.
 * @param file - for messages
 * @throws FwError `FW_CODEGEN_LIBRARY`
 */
export function parseLibrary(file: string, text: string | undefined): LibraryFile {
  const refuse = (problem: string, cause?: unknown) =>
    fwError(LIBRARY_ERRORS.FW_CODEGEN_LIBRARY, { file, problem }, { cause });
  if (text === undefined) throw refuse('it is not there');
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch (cause) {
    throw refuse('it is not JSON', cause);
  }
  const format = (content as { format?: unknown } | null)?.format;
  if (format !== FORMAT) throw refuse(`its format is ${JSON.stringify(format)}, and this framework reads ${FORMAT}`);
  const [issue] = validatorOf(LibraryFileSchema).check(content);
  if (issue) throw refuse(`${issue.path || 'its content'} ${issue.message}`);
  return content as LibraryFile;
}
