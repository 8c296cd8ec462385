import type { Field } from './fields.js';

/** The TypeScript type of a field's property. */
export function typeText({ kind, values, nullable }: Field): string {
  const type = {
    string: 'string',
    text: 'Text',
    int: 'Int',
    number: 'number',
    boolean: 'boolean',
    date: 'Date',
    uuid: 'Uuid',
    strings: 'string[]',
    enum: values.map((value) => `'${value}'`).join(' | '),
    relation: 'Int',
  }[kind];
  return nullable ? `${type} | null` : type;
}

/** Type names of `fw/orm` that {@link typeText} uses for these fields. */
export function ormTypesOf(fields: readonly Field[]): readonly string[] {
  const names = { text: 'Text', int: 'Int', relation: 'Int', uuid: 'Uuid' } as Readonly<Record<string, string>>;
  return [...new Set(fields.flatMap(({ kind }) => names[kind] ?? []))];
}

/** The TypeBox schema of a field in a request. */
export function requestSchema(field: Field): string {
  const schema = field.nullable ? `Type.Union([${plainSchema(field)}, Type.Null()])` : plainSchema(field);
  return field.nullable ? `Type.Optional(${schema})` : schema;
}

/** The TypeBox schema of a field in a response: what a reader relies on, without the rules for writers. */
export function responseSchema(field: Field): string {
  const plain = plainSchema({ ...field, required: false, email: false, min: undefined, max: undefined });
  return field.nullable ? `Type.Union([${plain}, Type.Null()])` : plain;
}

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
    case 'boolean':
      return 'Type.Boolean()';
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
    case 'boolean':
      return String(variant === 1);
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
