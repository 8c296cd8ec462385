import { stringLiteral, type TemporalClass } from '../../../plugins/orm/core/index.js';
import { TEMPORAL_SCHEMAS } from '../../orm/json-schema.js';
import type { FieldKind } from './field-types.js';
import type { Digits, Field } from './fields.js';
import type { Identifiers } from './identifiers.js';

/** The TypeScript type of a field's property. */
export function typeText({ kind, values, nullable, temporal }: Field): string {
  const type = {
    string: 'string',
    text: 'Text',
    int: 'Int',
    bigint: 'bigint',
    number: 'number',
    decimal: 'Decimal',
    boolean: 'boolean',
    date: 'Date',
    temporal: `Temporal.${temporal}`,
    uuid: 'Uuid',
    json: 'Json<unknown>',
    strings: 'string[]',
    enum: values.map(literal).join(' | '),
    relation: 'Int',
  }[kind];
  return nullable ? `${type} | null` : type;
}

const literal = (value: string | number): string => (typeof value === 'number' ? String(value) : stringLiteral(value));

/** Type names of `fw/orm` that {@link typeText} uses for these fields. */
export function ormTypesOf(fields: readonly Field[]): readonly string[] {
  const names = {
    text: 'Text',
    int: 'Int',
    decimal: 'Decimal',
    relation: 'Int',
    uuid: 'Uuid',
    json: 'Json',
  } as Readonly<Record<string, string>>;
  return [...new Set(fields.flatMap(({ kind }) => names[kind] ?? []))];
}

/** Largest id: that of an `Int` column. */
export const MAX_ID = '2_147_483_647';

/** The TypeBox schema of a field in a request. */
export function requestSchema(field: Field): string {
  // The schema of any JSON value includes null, so a nullable field only becomes optional.
  if (field.kind === 'json') return field.nullable ? 'Type.Optional(Type.Unknown())' : ANY_JSON;
  const schema = field.nullable ? `Type.Union([${plainSchema(field)}, Type.Null()])` : plainSchema(field);
  return field.nullable ? `Type.Optional(${schema})` : schema;
}

/** The TypeBox schema of a field in a response: the type, without the rules for input. */
export function responseSchema(field: Field): string {
  if (field.kind === 'json') return 'Type.Unknown()';
  const plain = plainResponse(field);
  return field.nullable ? `Type.Union([${plain}, Type.Null()])` : plain;
}

function plainResponse(field: Field): string {
  if (field.kind === 'decimal') return decimalText('\\\\d+(\\\\.\\\\d+)?');
  if (field.kind === 'bigint') return wholeNumberText('+', '');
  return plainSchema({ ...field, required: false, email: false, min: undefined, max: undefined });
}

// More digits may exceed 64 bits.
const wholeNumberText = (digits: string, words: string): string =>
  `Type.String({ pattern: '^-?\\\\d${digits}$', description: 'A whole number${words}, as text' })`;

// Any JSON value except null.
const ANY_JSON =
  'Type.Union([Type.Record(Type.String(), Type.Unknown()), Type.Array(Type.Unknown()), Type.String(), Type.Number(), Type.Boolean()])';

function plainSchema(field: Field): string {
  const { kind, values, relation } = field;
  switch (kind) {
    case 'string':
    case 'text':
      return `Type.String(${options(textOptions(field))})`;
    case 'decimal':
      return decimalSchema(field.digits);
    case 'uuid':
      return `Type.String({ format: 'uuid' })`;
    case 'date':
      return `Type.String({ format: 'date-time' })`;
    case 'temporal':
      return temporalSchema(field.temporal as TemporalClass);
    case 'int':
      return `Type.Integer(${options(numberOptions(field))})`;
    case 'number':
      return `Type.Number(${options(numberOptions(field))})`;
    case 'relation':
      return `Type.Integer({ minimum: 1, maximum: ${MAX_ID}, description: 'Id of the ${relation?.property ?? ''}' })`;
    case 'bigint':
      return wholeNumberText('{1,18}', ' of up to 18 digits');
    case 'boolean':
      return 'Type.Boolean()';
    case 'json':
      return 'Type.Unknown()';
    case 'strings':
      return 'Type.Array(Type.String())';
    case 'enum':
      return values.length === 1
        ? `Type.Literal(${literal(values[0] ?? '')})`
        : `Type.Union([${values.map((value) => `Type.Literal(${literal(value)})`).join(', ')}])`;
  }
}

// The form says more than the format where the text has a pattern; validators know the others.
function temporalSchema(temporal: TemporalClass): string {
  const { format, pattern } = TEMPORAL_SCHEMAS[temporal];
  const form = pattern === undefined ? `format: '${format}'` : `pattern: ${stringLiteral(pattern)}`;
  return `Type.String({ ${form}, description: 'A Temporal.${temporal}, as text' })`;
}

// Digits that every database keeps of a decimal column without a precision.
const USUAL_DIGITS: Digits = { whole: 28, fraction: 10 };

function decimalSchema({ whole, fraction }: Digits = USUAL_DIGITS): string {
  const digits = whole === 0 ? '0' : `\\\\d{1,${whole}}`;
  const point = fraction === 0 ? '' : `(\\\\.\\\\d{1,${fraction}})?`;
  return decimalText(`${digits}${point}`);
}

const decimalText = (digits: string): string =>
  `Type.String({ pattern: '^-?${digits}$', description: 'A decimal number, as text' })`;

function textOptions({ email, required, min, max, hidden }: Field): readonly string[] {
  const least = min ?? (required && !email ? 1 : undefined);
  return [
    ...(email ? [`format: 'email'`] : []),
    ...(least === undefined ? [] : [`minLength: ${least}`]),
    ...(max === undefined ? [] : [`maxLength: ${max}`]),
    ...(hidden ? ['writeOnly: true'] : []),
  ];
}

function numberOptions({ min, max }: Field): readonly string[] {
  return [...(min === undefined ? [] : [`minimum: ${min}`]), ...(max === undefined ? [] : [`maximum: ${max}`])];
}

const options = (parts: readonly string[]): string => (parts.length === 0 ? '' : `{ ${parts.join(', ')} }`);

/** Whether a request has the value of a column as text, because JSON has neither times nor bigints. */
export const isReadFromText = ({ kind }: Field): boolean => READERS.has(kind);

/** The model that a column is of, in a generated file. */
export interface FieldPlace {
  readonly ids: Identifiers;
  readonly model: string;
}

type Reader = (expression: string, field: Field, place: FieldPlace) => string;

const READERS: ReadonlyMap<FieldKind, Reader> = new Map<FieldKind, Reader>([
  ['date', (expression) => `new Date(${expression})`],
  ['bigint', (expression) => `BigInt(${expression})`],
  [
    'temporal',
    (expression, { property }, { ids, model }) => `temporalFrom(${ids.columns(model)}.${property}, ${expression})`,
  ],
]);

/** Expression of a column's value, from an expression of the value in the request. */
export function columnValue(field: Field, expression: string, place: FieldPlace): string {
  const { kind, isNominal, property } = field;
  const read = READERS.get(kind)?.(expression, field, place) ?? expression;
  return isNominal ? `(${read} as ${place.ids.model(place.model)}['${property}'])` : read;
}

/**
 * The same for an optional member: undefined stays undefined, so that an update does not change its column.
 *
 * @param body - expression of the body
 */
export function changedValue(field: Field, body: string, place: FieldPlace): string {
  const value = `${body}.${field.property}`;
  const read = columnValue(field, value, place);
  return isReadFromText(field) ? `typeof ${value} === 'string' ? ${read} : ${value}` : read;
}

const UNIQUE_TIME = 'new Date(unique() * 86_400_000).toISOString()';

// As Temporal writes them, so that answers have them as they were sent.
const TEMPORAL_SAMPLES: Readonly<Record<TemporalClass, (variant: 1 | 2, unique: boolean) => string>> = {
  PlainDate: (variant, unique) => (unique ? `${UNIQUE_TIME}.slice(0, 10)` : `'2026-01-0${variant}'`),
  PlainTime: (variant, unique) =>
    unique ? 'new Date(unique() * 1000).toISOString().slice(11, 19)' : `'0${variant}:30:00'`,
  PlainDateTime: (variant, unique) => (unique ? `${UNIQUE_TIME}.slice(0, 19)` : `'2026-01-0${variant}T12:00:00'`),
  Instant: (variant, unique) => (unique ? `${UNIQUE_TIME}.replace('.000', '')` : `'2026-01-0${variant}T12:00:00Z'`),
  Duration: (variant, unique) => (unique ? '`P${unique()}D`' : `'P${variant}D'`),
};

/** An expression with a value that the field accepts; `variant` gives another one. */
export function sampleText(field: Field, variant: 1 | 2): string {
  const { kind, values, email, min, max, unique } = field;
  switch (kind) {
    case 'string':
    case 'text':
      return email
        ? unique
          ? '`${unique()}@example.com`'
          : `'user${variant}@example.com'`
        : sampleWord(field, variant);
    case 'uuid':
      return unique
        ? "`00000000-0000-4000-8000-${String(unique()).padStart(12, '0')}`"
        : `'00000000-0000-4000-8000-00000000000${variant}'`;
    case 'date':
      return unique ? UNIQUE_TIME : `'2026-01-0${variant}T12:00:00.000Z'`;
    case 'temporal':
      return TEMPORAL_SAMPLES[field.temporal as TemporalClass](variant, unique);
    case 'int':
      return unique && min === undefined && max === undefined
        ? 'unique()'
        : String(Math.min(Math.ceil(min ?? 0) + variant, Math.floor(max ?? Infinity)));
    case 'number':
      return String(Math.min((min ?? 0) + variant / 2, max ?? Infinity));
    case 'decimal': {
      const number = Math.min((min ?? 0) + variant, max ?? Infinity);
      return unique ? 'String(unique())' : `'${field.digits?.whole === 0 ? `0.${variant}` : number}'`;
    }
    case 'bigint':
      return unique ? 'String(9_007_199_254_740_992n + BigInt(unique()))' : `'900719925474099${variant + 2}'`;
    case 'boolean':
      return String(variant === 1);
    case 'json':
      // The type assertion is for the program; a request has the bare value.
      return `{ note: 'sample ${variant}' }${field.isNominal ? ' as unknown' : ''}`;
    case 'strings':
      return `['tag ${variant}']`;
    case 'enum':
      return `${literal(values[(variant - 1) % values.length] ?? '')} as const`;
    case 'relation':
      return '1';
  }
}

function sampleWord({ property, min = 0, max = Infinity, unique }: Field, variant: number): string {
  const word = `${property} ${variant}`;
  if (unique && max >= 24) return `\`${property.slice(0, 12).padEnd(Math.max(0, min - 4), '-')} \${unique()}\``;
  return `'${word.padEnd(min, '-').slice(-Math.max(min, Math.min(word.length, max)))}'`;
}
