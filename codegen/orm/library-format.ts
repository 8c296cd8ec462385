import { type Static, Type } from 'typebox';
import { fwError, validatorOf } from '../../kernel/index.js';
import { LIBRARY_ERRORS } from './library-errors.js';

/** Version of the format that this framework writes and reads. */
const FORMAT = 1;

const Value = Type.Union([Type.String(), Type.Number()]);
const closed = { additionalProperties: false } as const;

/** What the type of a column says, where no type parameter has a say in it. */
const ColumnSchema = Type.Object(
  {
    kind: Type.Enum(
      ['any', 'array', 'bigint', 'boolean', 'bytes', 'date', 'decimal', 'enum', 'float', 'int', 'interval', 'json', 'plainDate', 'plainTime', 'string', 'text', 'uuid'], // prettier-ignore
    ),
    nullable: Type.Boolean(),
    values: Type.Optional(Type.Array(Value)),
    element: Type.Optional(Type.String()),
    isNominal: Type.Optional(Type.Boolean()),
  },
  closed,
);

const Member = Type.Object(
  {
    /** Arguments by name of the decorator; those of relations without the function that names the class. */
    marks: Type.Record(Type.String(), Type.Array(Type.Unknown())),
    column: Type.Optional(ColumnSchema),
  },
  closed,
);

const LibraryClassSchema = Type.Object(
  {
    name: Type.String({ minLength: 1 }),
    members: Type.Record(Type.String(), Member),
    /** Of a class that the package exports: by which name, from where. */
    export: Type.Optional(
      Type.Object({ from: Type.String({ minLength: 1 }), name: Type.String({ minLength: 1 }) }, closed),
    ),
    /** Of a model: its columns, with those that it inherits. */
    columns: Type.Optional(Type.Array(Type.Object({ column: Type.String(), property: Type.String() }, closed))),
  },
  closed,
);

const LibraryFileSchema = Type.Object(
  {
    format: Type.Literal(FORMAT),
    classes: Type.Array(LibraryClassSchema),
    /** What a program imports so that the models of the package are registered; missing where the package exports no such module. */
    generated: Type.Optional(Type.String({ minLength: 1 })),
  },
  closed,
);

/** A class of a package, as code generation knew it when the package was built. */
export type LibraryClass = Static<typeof LibraryClassSchema>;
/** What a package says of its classes. */
export type LibraryFile = Static<typeof LibraryFileSchema>;

/** The text of a file that a package ships. */
export const libraryText = (file: Omit<LibraryFile, 'format'>): string =>
  `${JSON.stringify({ format: FORMAT, ...file }, null, 1)}\n`;

/**
 * Reads what a package says of its classes.
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
