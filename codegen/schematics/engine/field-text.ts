import type { Field } from './fields.js';

/** The TypeScript type of a field's property. */
export function typeText({ kind, values, nullable }: Field): string {
  const type = {
    string: 'string',
    text: 'Text',
    int: 'Int',
    bigint: 'bigint',
    number: 'number',
    boolean: 'boolean',
    date: 'Date',
    uuid: 'Uuid',
    json: 'Json<unknown>',
    strings: 'string[]',
    enum: values.map((value) => `'${value}'`).join(' | '),
    relation: 'Int',
  }[kind];
  return nullable ? `${type} | null` : type;
}

/** Type names of `fw/orm` that {@link typeText} uses for these fields. */
export function ormTypesOf(fields: readonly Field[]): readonly string[] {
  const names = { text: 'Text', int: 'Int', relation: 'Int', uuid: 'Uuid', json: 'Json' } as Readonly<
    Record<string, string>
  >;
  return [...new Set(fields.flatMap(({ kind }) => names[kind] ?? []))];
}

/** The TypeBox schema of a field in a request. */
export function requestSchema(field: Field): string {
  // Null is a value of JSON like any other, so only its absence is left to say.
  if (field.kind === 'json') return field.nullable ? 'Type.Optional(Type.Unknown())' : ANY_JSON;
  const schema = field.nullable ? `Type.Union([${plainSchema(field)}, Type.Null()])` : plainSchema(field);
  return field.nullable ? `Type.Optional(${schema})` : schema;
}

/** The TypeBox schema of a field in a response: what a reader relies on, without the rules for writers. */
export function responseSchema(field: Field): string {
  if (field.kind === 'json') return 'Type.Unknown()';
  const plain =
    field.kind === 'bigint'
      ? wholeNumberText('+', '')
      : plainSchema({ ...field, required: false, email: false, min: undefined, max: undefined });
  return field.nullable ? `Type.Union([${plain}, Type.Null()])` : plain;
}

// More digits may be more than 64 bits.
const wholeNumberText = (digits: string, words: string): string =>
  `Type.String({ pattern: '^-?\\\\d${digits}$', description: 'A whole number${words}, as text' })`;

// Whatever JSON can say, but for null.
const ANY_JSON =
  'Type.Union([Type.Record(Type.String(), Type.Unknown()), Type.Array(Type.Unknown()), Type.String(), Type.Number(), Type.Boolean()])';

function plainSchema(field: Field): string {
  const { kind, values, relation } = field;
  switch (kind) {
    case 'string':
    case 'text':
      return `Type.String(${options(textOptions(field))})`;
    case 'uuid':
      return `Type.String({ format: 'uuid' })`;
    case 'date':
      return `Type.String({ format: 'date-time' })`;
    case 'int':
      return `Type.Integer(${options(numberOptions(field))})`;
    case 'number':
      return `Type.Number(${options(numberOptions(field))})`;
    case 'relation':
      return `Type.Integer({ minimum: 1, description: 'Id of the ${relation?.property ?? ''}' })`;
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
        ? `Type.Literal('${values[0]}')`
        : `Type.Union([${values.map((value) => `Type.Literal('${value}')`).join(', ')}])`;
  }
}

function textOptions({ email, required, min, max }: Field): readonly string[] {
  const least = min ?? (required && !email ? 1 : undefined);
  return [
    ...(email ? [`format: 'email'`] : []),
    ...(least === undefined ? [] : [`minLength: ${least}`]),
    ...(max === undefined ? [] : [`maxLength: ${max}`]),
  ];
}

function numberOptions({ min, max }: Field): readonly string[] {
  return [...(min === undefined ? [] : [`minimum: ${min}`]), ...(max === undefined ? [] : [`maximum: ${max}`])];
}

const options = (parts: readonly string[]): string => (parts.length === 0 ? '' : `{ ${parts.join(', ')} }`);

/** The value that a column takes, from an expression with what a request has for it: JSON has neither dates nor bigints. */
export function columnValue({ kind }: Field, expression: string): string {
  if (kind === 'date') return `new Date(${expression})`;
  return kind === 'bigint' ? `BigInt(${expression})` : expression;
}

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
      return `'00000000-0000-4000-8000-00000000000${variant}'`;
    case 'date':
      return `'2026-01-0${variant}T12:00:00.000Z'`;
    case 'int':
      return unique && min === undefined && max === undefined
        ? 'unique()'
        : String(Math.min(Math.ceil(min ?? 0) + variant, Math.floor(max ?? Infinity)));
    case 'number':
      return String(Math.min((min ?? 0) + variant / 2, max ?? Infinity));
    case 'bigint':
      return unique ? 'String(9_007_199_254_740_992n + BigInt(unique()))' : `'900719925474099${variant + 2}'`;
    case 'boolean':
      return String(variant === 1);
    case 'json':
      return `{ note: 'sample ${variant}' }`;
    case 'strings':
      return `['tag ${variant}']`;
    case 'enum':
      return `'${values[(variant - 1) % values.length] ?? ''}' as const`;
    case 'relation':
      return '1';
  }
}

function sampleWord({ property, min = 0, max = Infinity, unique }: Field, variant: number): string {
  const word = `${property} ${variant}`;
  if (unique && max >= 24) return `\`${property.slice(0, 12).padEnd(Math.max(0, min - 4), '-')} \${unique()}\``;
  return `'${word.padEnd(min, '-').slice(-Math.max(min, Math.min(word.length, max)))}'`;
}
