/** Kinds of values that a field can have. */
export type FieldKind =
  | 'string'
  | 'text'
  | 'int'
  | 'bigint'
  | 'number'
  | 'decimal'
  | 'boolean'
  | 'date'
  | 'temporal'
  | 'uuid'
  | 'json'
  | 'strings'
  | 'enum'
  | 'relation';

/** Types as they may be written: TypeScript's and the portable ones of other toolchains. */
const TYPES: Readonly<Record<string, FieldKind>> = {
  string: 'string',
  text: 'text',
  int: 'int',
  int8: 'int',
  int16: 'int',
  int32: 'int',
  int64: 'int',
  uint: 'int',
  uint8: 'int',
  uint16: 'int',
  uint32: 'int',
  uint64: 'int',
  bigint: 'bigint',
  number: 'number',
  float: 'number',
  float32: 'number',
  float64: 'number',
  decimal: 'decimal',
  numeric: 'decimal',
  bool: 'boolean',
  boolean: 'boolean',
  date: 'date',
  'time.time': 'date',
  'time.duration': 'int',
  duration: 'int',
  uuid: 'uuid',
  json: 'json',
  'json.rawmessage': 'json',
  unknown: 'json',
  'string[]': 'strings',
  '[]string': 'strings',
  'array<string>': 'strings',
};

/** Types to choose from, for messages. */
export const FIELD_TYPES = [
  'string',
  'text',
  'int',
  'bigint',
  'number',
  'decimal',
  'boolean',
  'date',
  'uuid',
  'json',
  'string[]',
  'a model',
] as const;

/** Rules that may follow a type, for messages. */
export const FIELD_RULES = [
  'required',
  'email',
  'min=N',
  'max=N',
  'oneof=a b c',
  'unique',
  'index',
  'private',
  'writeonly',
  'public',
  'column=name',
] as const;

// A capitalised name is taken for a model, except these types of TypeScript and the ORM.
const CAPITALIZED = /^(Date|Int|Decimal|Text|Uuid|Json|Array<string>)$/;

/**
 * The kind of field for a written type without its nullability.
 * @returns undefined for anything else: the name of a model, or a mistake
 */
export function kindOfType(type: string): FieldKind | undefined {
  const name = type.toLowerCase();
  return Object.hasOwn(TYPES, name) && (CAPITALIZED.test(type) || !/^[A-Z]/.test(type)) ? TYPES[name] : undefined;
}

/** A written type without `?` or `| null`, and whether it had one. */
export function nullability(type: string): { readonly bare: string; readonly nullable: boolean } {
  const bare = type.trim().replace(/\s*(\?|\|\s*null)$/, '');
  return { bare, nullable: bare !== type.trim() };
}
