import { fwError } from '../../../../kernel/index.js';
import { COLUMN_KINDS, type ColumnKind } from './kinds.js';
import { nameParts } from './identifiers.js';
import { isTemporalClass, TEMPORAL_KINDS, type TemporalClass } from './temporal.js';
import { ORM_ERRORS } from '../errors.js';
import { FILLED_ON, type FilledOn } from './filled-time.js';
import type { EnumForm } from './model-definition.js';
import { snakeCase } from './naming.js';
import { readTimeFormat, TIME_FORMATS } from './time-format.js';

/** What a `@db` tag says (SPEC "ORM values", struct tags). */
export interface DbTag {
  readonly column: string;
  readonly excluded: boolean;
  readonly primaryKey: boolean;
  readonly autoincrement: boolean;
  readonly unique: boolean;
  readonly generated: boolean;
  /** How the database computes the column, as SQL (`generated=`, which takes the rest of the tag). */
  readonly expression: string | undefined;
  /** Whether it is computed when it is read, and kept nowhere. */
  readonly virtual: boolean;
  readonly nullable: boolean;
  /** Whether the column counts the changes of its row. */
  readonly version: boolean;
  readonly index: boolean;
  /** Whether the ORM, a hook or a plugin of the application fills the column, so that `create` may leave it out. */
  readonly filled: boolean;
  /** When the ORM fills the column with the present time (`filled=create`, `filled=update`). */
  readonly filledOn: FilledOn | undefined;
  readonly default: string | undefined;
  /** Kind by `type=`; for declarations that are used without generated code. */
  readonly kind: ColumnKind | undefined;
  /** Class of Temporal by `type=Temporal.PlainDate`; the kind is that of the class. */
  readonly temporal: TemporalClass | undefined;
  /** Characters of a string column (`size=`). */
  readonly size: number | undefined;
  /** Digits of a decimal column (`precision=`), and those behind the point (`scale=`). */
  readonly precision: number | undefined;
  readonly scale: number | undefined;
  /** How the column holds times (`format=`), where others decided that. */
  readonly format: string | undefined;
  /** The column's former name (`rename=`), for migrations. */
  readonly rename: string | undefined;
  /** What the database keeps about the column in words (`comment=`), for migrations. */
  readonly comment: string | undefined;
  /** How the database holds the column to the values of its type (`enum=check`, `enum=native`, `enum=none`), for migrations. */
  readonly enumAs: EnumForm | undefined;
  /** The column's type as SQL (`sql=`, which takes the rest of the tag), for migrations. */
  readonly sqlType: string | undefined;
}

/** What a `@json` tag says. */
export interface JsonTag {
  readonly name: string;
  readonly excluded: boolean;
  readonly omitEmpty: boolean;
  /** Whether it is taken from clients, and neither read by default nor sent (JSON Schema, `writeOnly`). */
  readonly writeOnly: boolean;
}

/** One rule of a `@validate` tag, with its argument. */
export interface ValidationRule {
  readonly rule: 'required' | 'min' | 'max' | 'email' | 'url' | 'uuid' | 'regex' | 'custom';
  readonly argument?: string;
}

/** Where a tag stands, for error sentences. */
export interface TagPlace {
  readonly model: string;
  readonly field: string;
}

const FLAGS = ['pk', 'autoincrement', 'unique', 'generated', 'virtual', 'nullable', 'index', 'filled', 'version'] as const; // prettier-ignore
const VALUES = ['filled', 'default', 'type', 'size', 'precision', 'scale', 'format', 'rename', 'comment', 'enum', 'sql', 'generated'] as const; // prettier-ignore
const DB_OPTIONS = [...FLAGS, ...VALUES.map((name) => `${name}=<value>`)].join(', ');

type DbOption =
  | (typeof FLAGS)[number]
  | `${Exclude<(typeof VALUES)[number], 'enum' | 'filled'>}=${string}`
  | `enum=${EnumForm}`
  | `filled=${FilledOn}`;
type CheckOptions<Rest extends string> = Rest extends `sql=${string}` | `generated=${string}`
  ? unknown
  : Rest extends `${infer Head},${infer Tail}`
    ? Head extends `${'default' | 'comment'}=${string}\\`
      ? CheckOptions<`default=${Tail}`>
      : Head extends DbOption
        ? CheckOptions<Tail>
        : `unknown option "${Head}"`
    : Rest extends DbOption
      ? unknown
      : `unknown option "${Rest}"`;

/** `unknown` for a well-formed `@db` tag, else a sentence, so that the editor shows what is wrong. */
export type CheckDbTag<Tag extends string> = string extends Tag
  ? unknown
  : Tag extends `${string},${infer Options}`
    ? CheckOptions<Options>
    : unknown;

type RuleText = 'required' | 'email' | 'url' | 'uuid' | `min=${number}` | `max=${number}` | `custom=${string}`;

/** `unknown` for a well-formed `@validate` tag, else a sentence. `regex=` takes the rest of the tag, commas included. */
export type CheckValidateTag<Tag extends string> = string extends Tag
  ? unknown
  : Tag extends `regex=${string}`
    ? unknown
    : Tag extends `${infer Head},${infer Tail}`
      ? Head extends RuleText
        ? CheckValidateTag<Tail>
        : `unknown rule "${Head}"`
      : Tag extends RuleText
        ? unknown
        : `unknown rule "${Tag}"`;

/**
 * Reads a `@db` tag: the column name, then options. In a default and a comment `\,` is a comma, and `\ ` at its end a space. `generated=` takes the
 * rest of the tag, and `sql=` what stands before that.
 *
 * @throws FwError `FW_ORM_TAG` naming class, field and option
 */
export function parseDbTag(tag: string, place: TagPlace): DbTag {
  const fail = failing(tag, place);
  const { name, options } = partsOf(tag);
  const seen = new Map<string, string>();
  for (const option of options) readOption(option, seen, fail);
  const column = name === '' ? snakeCase(place.field) : unescaped(name);
  // A missing comma could make an option part of the name.
  if (column !== '-' && (nameParts(column) === undefined || (column.includes('=') && isOption(column)))) {
    const meant = isOption(column) ? `; options stand behind a comma: ",${column}"` : '';
    fail(`"${column}" is no name of a column (one with a dot stands in double quotes)${meant}`);
  }
  return { column, excluded: column === '-', ...flagsOf(seen), ...valuesOf(seen, fail) };
}

/** Whether a text is one of the options of a `@db` tag. */
export function isOption(text: string): boolean {
  const [key = '', value] = text.split('=');
  return optionsOf(value === undefined).includes(key);
}

const optionsOf = (isFlag: boolean): readonly string[] => (isFlag ? FLAGS : VALUES);

// Expressions and types hold commas: coalesce(a, b), numeric(10,2), enum('a','b').
function partsOf(tag: string): { name: string; options: readonly string[] } {
  const [bare, ...expression] = cutAt(tag, /(?<!\\),\s*generated=/);
  const [list, ...type] = cutAt(bare, /(?<!\\),\s*sql=/);
  const parts = list.split(/(?<!\\),/);
  const [name = '', ...options] = parts.map((part) => part.trimStart().replace(/(?<!\\)\s+$/, ''));
  return { name, options: [...options, ...type, ...expression] };
}

function cutAt(text: string, comma: RegExp): readonly [string, ...string[]] {
  const at = text.search(comma);
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1).trim()];
}

function readOption(option: string, seen: Map<string, string>, fail: Fail): void {
  const equals = option.indexOf('=');
  const key = equals < 0 ? option : option.slice(0, equals);
  if (!optionsOf(equals < 0).includes(key)) fail(`unknown option "${option}"; known options: ${DB_OPTIONS}`);
  if (seen.has(key)) fail(`the option "${key}" appears twice`);
  seen.set(key, option.slice(equals + 1));
  if (key === 'generated' && equals >= 0) seen.set(EXPRESSION, option.slice(equals + 1));
}

// A column may be called like the flag.
const EXPRESSION = 'generated=';

function flagsOf(seen: ReadonlyMap<string, string>) {
  return {
    primaryKey: seen.has('pk'),
    autoincrement: seen.has('autoincrement'),
    unique: seen.has('unique'),
    generated: seen.has('generated'),
    virtual: seen.has('virtual'),
    nullable: seen.has('nullable'),
    index: seen.has('index'),
    filled: seen.has('filled'),
    version: seen.has('version'),
  };
}

function valuesOf(seen: ReadonlyMap<string, string>, fail: Fail) {
  return {
    expression: expressionOf(seen.get(EXPRESSION), fail),
    filledOn: filledOn(seen.get('filled'), fail),
    // A version column defaults to 1 for existing rows and rows that other programs insert.
    default: unescaped(seen.get('default')) ?? (seen.has('version') ? '1' : undefined),
    ...typeOf(seen.get('type'), fail),
    size: wholeNumber('size', seen.get('size'), fail),
    precision: wholeNumber('precision', seen.get('precision'), fail),
    scale: wholeNumber('scale', seen.get('scale'), fail),
    format: timeFormat(seen.get('format'), fail),
    rename: seen.get('rename'),
    comment: unescaped(seen.get('comment')),
    enumAs: enumForm(seen.get('enum'), fail),
    sqlType: sqlType(seen.get('sql'), fail),
  };
}

const ESCAPED = /\\(,| $)/g;

function unescaped(text: string): string;
function unescaped(text: string | undefined): string | undefined;
function unescaped(text: string | undefined): string | undefined {
  return text?.replace(ESCAPED, '$1');
}

function typeOf(text: string | undefined, fail: Fail): Pick<DbTag, 'kind' | 'temporal'> {
  if (text === undefined || (COLUMN_KINDS as readonly string[]).includes(text))
    return { kind: text as ColumnKind | undefined, temporal: undefined };
  const name = text.startsWith(TEMPORAL) ? text.slice(TEMPORAL.length) : '';
  if (isTemporalClass(name)) return { kind: TEMPORAL_KINDS[name], temporal: name };
  const known = [...COLUMN_KINDS, ...Object.keys(TEMPORAL_KINDS).map((each) => `${TEMPORAL}${each}`)];
  return fail(`unknown type "${text}"; known types: ${known.join(', ')}`);
}

const TEMPORAL = 'Temporal.';

function timeFormat(text: string | undefined, fail: Fail): string | undefined {
  if (text === undefined || readTimeFormat(text) !== undefined) return text;
  return fail(`format is one of ${TIME_FORMATS}; got "${text}"`);
}

function expressionOf(text: string | undefined, fail: Fail): string | undefined {
  return text === '' ? fail('generated= needs an expression in SQL; without one it is the flag "generated"') : text;
}

// The flag alone says that somebody else fills the column.
function filledOn(text: string | undefined, fail: Fail): FilledOn | undefined {
  if (text === undefined || text === 'filled') return undefined;
  return FILLED_ON.find((each) => each === text) ?? fail(`filled is one of ${FILLED_ON.join(', ')}, got "${text}"`);
}

const ENUM_FORMS: readonly string[] = ['check', 'native', 'none'] satisfies EnumForm[];

function enumForm(text: string | undefined, fail: Fail): EnumForm | undefined {
  if (text === undefined || ENUM_FORMS.includes(text)) return text as EnumForm | undefined;
  return fail(`enum is one of ${ENUM_FORMS.join(', ')}, got "${text}"`);
}

// Some databases quote names of types; between quotes anything goes.
const SQL_TYPE = /^(?=[A-Za-z_"`[])(?:'(?:[^']|'')*'|"(?:[^"]|"")*"|[^;'"])*$/;

function sqlType(text: string | undefined, fail: Fail): string | undefined {
  if (text === undefined || SQL_TYPE.test(text)) return text;
  return fail(`sql needs a type of the database, got "${text}"`);
}

function wholeNumber(key: string, text: string | undefined, fail: Fail): number | undefined {
  if (text === undefined || /^\d+$/.test(text)) return text === undefined ? undefined : Number(text);
  return fail(`${key} needs a whole number, got "${text}"`);
}

const JSON_OPTIONS = ['omitempty', 'writeonly'];

/**
 * Reads a `@json` tag: the name on the wire, `-`, `omitempty` and `writeonly`.
 *
 * @throws FwError `FW_ORM_TAG`
 */
export function parseJsonTag(tag: string, place: TagPlace): JsonTag {
  const fail = failing(tag, place);
  const [name = '', ...options] = jsonParts(tag);
  for (const option of options)
    if (!JSON_OPTIONS.includes(option)) fail(`unknown option "${option}"; known options: ${JSON_OPTIONS.join(', ')}`);
  if (name === '-' && options.length > 0) fail('what is not on the wire at all ("-") takes no options');
  return {
    name: name === '' ? place.field : name,
    excluded: name === '-',
    omitEmpty: options.includes('omitempty'),
    writeOnly: options.includes('writeonly'),
  };
}

const jsonParts = (tag: string): readonly string[] => tag.split(',').map((part) => part.trim());

/** Whether a `@json` tag keeps a property from everybody who reads rows: `-` and `writeonly`. */
export function hidesProperty(tag: string): boolean {
  const [name, ...options] = jsonParts(tag);
  return name === '-' || options.includes('writeonly');
}

const RULES_WITHOUT_ARGUMENT = new Set(['required', 'email', 'url', 'uuid']);

/**
 * Reads a `@validate` tag: rules from left to right; `regex=` takes the rest of the tag.
 *
 * @throws FwError `FW_ORM_TAG`
 */
export function parseValidateTag(tag: string, place: TagPlace): readonly ValidationRule[] {
  const rules: ValidationRule[] = [];
  let rest = tag.trim();
  while (rest !== '') {
    const end = rest.startsWith('regex=') || !rest.includes(',') ? rest.length : rest.indexOf(',');
    rules.push(ruleOf(rest.slice(0, end).trim(), failing(tag, place)));
    rest = rest.slice(end + 1).trim();
  }
  return rules;
}

function ruleOf(text: string, fail: Fail): ValidationRule {
  const equals = text.indexOf('=');
  const name = equals < 0 ? text : text.slice(0, equals);
  const argument = equals < 0 ? undefined : text.slice(equals + 1);
  if (RULES_WITHOUT_ARGUMENT.has(name) && argument === undefined) return { rule: name as 'email' };
  if ((name === 'min' || name === 'max') && argument && Number.isFinite(Number(argument)))
    return { rule: name, argument };
  if (name === 'custom' && argument) return { rule: name, argument };
  if (name === 'regex' && argument) return { rule: name, argument: checkedPattern(argument, fail) };
  return fail(
    `unknown rule "${text}"; known rules: required, min=N, max=N, email, url, uuid, regex=<pattern>, custom=<name>`,
  );
}

function checkedPattern(pattern: string, fail: Fail): string {
  try {
    new RegExp(pattern, 'u');
    return pattern;
  } catch (error) {
    return fail(`the pattern does not compile: ${(error as Error).message}`);
  }
}

type Fail = (problem: string) => never;

function failing(tag: string, place: TagPlace): Fail {
  return (problem) => {
    throw fwError(ORM_ERRORS.FW_ORM_TAG, { ...place, tag, problem });
  };
}
