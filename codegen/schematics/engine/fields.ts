import { fwError } from '../../../kernel/errors/index.js';
import { camelCase, snakeCase, type TemporalClass } from '../../../plugins/orm/core/index.js';
import { SCHEMATICS_ERRORS } from '../errors.js';
import { FIELD_RULES, FIELD_TYPES, type FieldKind, kindOfType, nullability } from './field-types.js';
import { namesOf } from './names.js';

/** Kinds of columns that no response contains. */
export type Hidden = 'private' | 'writeonly';

/** One field of a model, resource or event. */
export interface Field {
  /** Property: `placedAt`; for a relation the property with the key: `customerId`. */
  readonly property: string;
  /** Column: `placed_at`. */
  readonly column: string;
  readonly kind: FieldKind;
  readonly nullable: boolean;
  readonly required: boolean;
  readonly email: boolean;
  readonly min: number | undefined;
  readonly max: number | undefined;
  /** Values of an enum. */
  readonly values: readonly (string | number)[];
  readonly unique: boolean;
  readonly index: boolean;
  /** Set if no response contains it: `private` (`@json('-')`) or `writeonly`, which is not even read by default. */
  readonly hidden: Hidden | undefined;
  /** Class of Temporal that the values of a `temporal` have; only fields of models that are there already have one. */
  readonly temporal?: TemporalClass | undefined;
  /** For a decimal: digits before and after the point. */
  readonly digits?: Digits | undefined;
  /** Whether a value that JSON has needs a type assertion: a brand, an enum of texts, `Json<T>`. */
  readonly isNominal?: boolean | undefined;
  /** For a relation: its target. */
  readonly relation: FieldRelation | undefined;
}

/** How many digits a decimal has at most. */
export interface Digits {
  readonly whole: number;
  readonly fraction: number;
}

/** The property (`customer`) and class (`Customer`) that a relation leads to. */
export interface FieldRelation {
  readonly property: string;
  readonly model: string;
  /** Key property of the class; `id` until its model is read. */
  readonly key?: string;
}

/** A field without rules: never null, in every response, and no relation. */
export const plainField = (property: string, column: string, kind: FieldKind): Field => ({
  property,
  column,
  kind,
  nullable: false,
  required: false,
  email: false,
  min: undefined,
  max: undefined,
  values: [],
  unique: false,
  index: false,
  hidden: undefined,
  relation: undefined,
});

const RESERVED = new Set(['id', 'constructor', 'prototype', 'createdAt', 'updatedAt']);
const EXAMPLE = 'email:string:required,email or customer:Customer';

/**
 * Reads field arguments.
 * @throws FwError `FW_SCHEMATIC_FIELD`
 */
export function parseFields(given: readonly string[]): readonly Field[] {
  const fields = given.map(parseField);
  const seen = new Set<string>();
  for (const [index, { property }] of fields.entries()) {
    if (seen.has(property)) throw bad(given[index] ?? '', `${property} is there twice`);
    seen.add(property);
  }
  return fields;
}

function parseField(text: string): Field {
  const [name = '', type = '', ...rest] = text.split(':').map((part) => part.trim());
  if (name === '' || type === '') throw bad(text, name === '' ? 'it has no name' : 'it has no type');
  if (!/^[a-z][A-Za-z0-9_]{0,63}$/.test(name))
    throw bad(text, 'its name must start with a small letter, and be letters, digits and _');
  const property = camelCase(snakeCase(name));
  if (RESERVED.has(property)) throw bad(text, `${property} is taken: every model has it, or JavaScript does`);
  const { bare, nullable } = nullability(type);
  const { column, ...rules } = rulesOf(text, rest.join(':'));
  const hidden = rules.hidden === undefined ? hiddenByName(property) : rules.hidden || undefined;
  const field = { ...typed(text, property, bare, rules), nullable, ...rules, hidden, ...(column !== '' && { column }) };
  return checked(text, field);
}

type Rules = Pick<Field, 'required' | 'email' | 'min' | 'max' | 'values' | 'unique' | 'index' | 'hidden'>;

// Names of secrets that clients choose, and of values that the service derives from them or generates.
const MADE_UP = /^(?:\w*(?:Password|Passphrase|Passcode)|password|passphrase|passcode|pin|pinCode)$/;
const KEPT =
  /(?:(?:password|Password|passwd|secret|Secret|credential|Credential)\w*|(?:^h|H)ash|(?:^s|S)alt|(?:^t|T)oken(?:Hash)?|(?:^a|A)piKey|(?:^p|P)rivateKey|(?:^o|O)tp)$/;

function hiddenByName(property: string): Hidden | undefined {
  if (MADE_UP.test(property)) return 'writeonly';
  return KEPT.test(property) ? 'private' : undefined;
}

function typed(
  text: string,
  property: string,
  type: string,
  { values }: Pick<Rules, 'values'>,
): Pick<Field, 'property' | 'column' | 'kind' | 'relation'> {
  const kind = kindOfType(type);
  if (kind)
    return { property, column: snakeCase(property), kind: values.length > 0 ? 'enum' : kind, relation: undefined };
  if (/^[A-Z]/.test(type)) {
    const model = namesOf(type).pascal;
    return {
      property: `${property}Id`,
      column: `${snakeCase(property)}_id`,
      kind: 'relation',
      relation: { property, model },
    };
  }
  throw bad(text, `there is no type "${type}"; types: ${FIELD_TYPES.join(', ')}`);
}

/** As written: an empty text for `public`, undefined if none is given. */
type WrittenRules = Omit<Rules, 'hidden'> & { readonly column: string; readonly hidden: Hidden | '' | undefined };

function rulesOf(text: string, rules: string): WrittenRules {
  const found = {
    required: false,
    email: false,
    min: undefined as number | undefined,
    max: undefined as number | undefined,
    values: [] as readonly string[],
    unique: false,
    index: false,
    hidden: undefined as Hidden | '' | undefined,
    column: '',
  };
  for (const rule of rules
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean)) {
    const [word = '', value] = rule.split('=');
    if (['required', 'email', 'unique', 'index'].includes(word)) {
      if (value !== undefined) throw bad(text, `the rule ${word} takes no value`);
      found[word as 'required'] = true;
    } else if (word === 'private' || word === 'writeonly') found.hidden = word;
    else if (word === 'public') found.hidden = '';
    else if (word === 'min' || word === 'max') found[word] = bound(text, word, value);
    else if (word === 'column') found.column = columnName(text, value);
    else if (word === 'oneof') found.values = choices(text, value);
    else throw bad(text, unknownRule(word, found.values.length > 0));
  }
  return found;
}

function unknownRule(word: string, isBehindChoices: boolean): string {
  const hint = isBehindChoices ? '; spaces separate the words of oneof, as in oneof=open paid' : '';
  return `there is no rule "${word}"; rules: ${FIELD_RULES.join(', ')}${hint}`;
}

function bound(text: string, word: string, value = ''): number {
  if (/^-?\d+(\.\d+)?$/.test(value)) return Number(value);
  throw bad(text, `the rule ${word} needs a number, as in ${word}=3`);
}

function columnName(text: string, value = ''): string {
  if (/^[A-Za-z_]\w{0,62}$/.test(value)) return value;
  throw bad(text, 'the rule column needs the name of a column, as in column=e_mail');
}

function choices(text: string, value = ''): readonly string[] {
  const words = value.split(/\s+/).filter(Boolean);
  if (words.length > 0 && words.every((word) => /^[\w-]+$/.test(word))) return [...new Set(words)];
  throw bad(text, 'the rule oneof needs words, as in oneof=open paid');
}

const TEXTUAL: ReadonlySet<FieldKind> = new Set(['string', 'text']);

function checked(text: string, field: Field): Field {
  const { kind, email, min, max, values, hidden, relation } = field;
  if (hidden && relation) throw bad(text, `a relation cannot be ${hidden}`);
  if (email && !TEXTUAL.has(kind)) throw bad(text, 'the rule email is for strings');
  if (values.length > 0 && kind !== 'enum') throw bad(text, 'the rule oneof is for strings');
  if ((min ?? max) !== undefined && !['string', 'text', 'int', 'number', 'decimal'].includes(kind))
    throw bad(text, 'min and max are for string, text, int, number and decimal');
  if (min !== undefined && max !== undefined && min > max) throw bad(text, 'min is larger than max');
  return field;
}

/** Rules that a resource infers for a field without rules: texts are required, and a field called email has that format. */
export function withInferredRules(field: Field, text: string): Field {
  const written = text.split(':').length > 2;
  if (written || field.nullable || !TEXTUAL.has(field.kind)) return field;
  return { ...field, required: true, email: field.kind === 'string' && /email$/i.test(field.property) };
}

function bad(field: string, problem: string): Error {
  return fwError(SCHEMATICS_ERRORS.FW_SCHEMATIC_FIELD, { field, problem, example: EXAMPLE });
}
