import { type TSchema, Type } from 'typebox';
import { fwError, suggestion } from '../errors/index.js';
import { readBoolean, readMember, readNumber, type SchemaIssue, surelyFits, validatorOf } from '../schema/index.js';
import { type EnvFiles, latestEnvFiles, loadEnvFiles } from './env-files.js';
import { CONFIG_ERRORS } from './errors.js';
import type { ResolvedOptions } from './options.js';
import { activeProfile, type Profile } from './profile.js';
import { declareVariables } from './unread-variables.js';

/** Variables by their names. */
export type EnvironmentVariables = Readonly<Record<string, TSchema>>;

/** What {@link defineEnvironment} gives: values of the types that the schemas declare. */
export type Environment<Variables extends EnvironmentVariables> = ResolvedOptions<
  ReturnType<typeof Type.Object<{ -readonly [Name in keyof Variables]: Variables[Name] }>>
>;

/**
 * Reads the variables that an application needs from the environment and its `.env` files, all of them at once, before anything
 * starts. An empty variable counts as one that is not set. Lists are written `a,b,c`; booleans `true`, `1`, `yes`, `on` and their
 * opposites.
 *
 * @param variables - a schema for each; with {@link withDefault} or `Type.Optional` it may be missing
 * @returns the values, typed and frozen
 * @throws FwError `FW_CONFIG_ENVIRONMENT`, naming every variable that is missing or wrong, without its value;
 *   `FW_CONFIG_ENVIRONMENT_SCHEMA` for a schema that no text can fit
 *
 * @example
 * export const env = defineEnvironment({
 *   PORT: withDefault(Type.Integer({ minimum: 0, maximum: 65535, description: 'TCP port' }), 3000),
 *   DATABASE_URL: Type.String({ description: 'Address of the database' }),
 * });
 */
export function defineEnvironment<const Variables extends EnvironmentVariables>(
  variables: Variables,
): Environment<Variables> {
  // `fw` reads the files before it loads the configuration; a test may import the configuration directly.
  const files = latestEnvFiles() ?? loadEnvFiles(process.cwd(), profileHere());
  declareVariables(Object.keys(variables));
  const given = Object.entries(variables).flatMap(([name, schema]) => {
    const text = process.env[name];
    const read = readerOf(name, schema);
    return text === undefined || text === '' ? [] : [[name, read(text)] as const];
  });
  const values = Object.fromEntries(given);
  const schema = Type.Object({ ...variables });
  // Values that surely fit need no validator; otherwise the validator is compiled, for its messages.
  const issues = surelyFits(schema, values) ? [] : validatorOf(schema).check(values);
  if (issues.length > 0) throw refused(variables, issues, files);
  return Object.freeze(values) as Environment<Variables>;
}

// Test runners set `NODE_ENV=test`, and import the configuration before any application with a profile starts.
function profileHere(): Profile {
  const { FW_PROFILE, NODE_ENV } = process.env;
  return activeProfile(FW_PROFILE ?? (NODE_ENV === 'test' ? 'test' : undefined));
}

type Reader = (text: string) => unknown;

function readerOf(name: string, schema: TSchema): Reader {
  const { type, items, anyOf, $ref } = schema as Keywords;
  if (type === 'integer' || type === 'number') return readNumber;
  if (type === 'boolean') return readBoolean;
  if (type === 'string') return (text) => text;
  if (type === 'array' && items !== undefined) return listReader(readerOf(name, items));
  if (anyOf !== undefined) return unionReader(anyOf.map((branch) => readerOf(name, branch)));
  if ('const' in schema || 'enum' in schema) return readMember(schema as never) ?? ((text) => text);
  const problem = type === undefined ? ($ref === undefined ? 'its schema has no type' : 'it refers to another schema') : `it is of type ${String(type)}`; // prettier-ignore
  throw fwError(CONFIG_ERRORS.FW_CONFIG_ENVIRONMENT_SCHEMA, { name, problem });
}

const listReader =
  (read: Reader): Reader =>
  (text) =>
    text
      .split(',')
      .map((item) => item.trim())
      .filter((item) => item !== '')
      .map(read);

// Uses the first branch that converts the text; a text that is one of the literals stays as it is.
const unionReader =
  (readers: readonly Reader[]): Reader =>
  (text) =>
    readers.map((read) => read(text)).find((value) => value !== text) ?? text;

interface Keywords {
  readonly type?: unknown;
  readonly format?: string;
  readonly items?: TSchema;
  readonly anyOf?: readonly TSchema[];
  readonly $ref?: unknown;
}

function refused(variables: EnvironmentVariables, issues: readonly SchemaIssue[], { profile, files, names }: EnvFiles) {
  const wrong = Object.keys(variables).filter((name) => issues.some((issue) => nameIn(issue) === name));
  const lines = wrong.map((name) => {
    const own = issues.filter((issue) => nameIn(issue) === name);
    const schema = variables[name] as TSchema;
    const problem = isMissing(own) ? `, ${kindOf(schema)}, ${missing(name, names)}` : ` ${inWords(own)}`;
    return `\n  ${name}${problem}${meaningOf(schema)}`;
  });
  return fwError(CONFIG_ERRORS.FW_CONFIG_ENVIRONMENT, {
    profile,
    files: files.length === 0 ? 'no .env file was found' : `from ${files.join(', ')}`,
    problems: lines.join(''),
    variables: wrong,
  });
}

const nameIn = ({ path }: SchemaIssue): string | undefined => path.split('/')[1];

const isMissing = (issues: readonly SchemaIssue[]): boolean =>
  issues.some(({ keyword, path }) => keyword === 'required' && path.split('/').length === 2);

function missing(name: string, inFiles: readonly string[]): string {
  const close = suggestion(name, inFiles.filter((other) => other !== name)); // prettier-ignore
  return `${process.env[name] === '' ? 'is empty' : 'is not set'}${close === '' ? '' : `. ${close.trim()}`}`;
}

// Never names the value: it may be a secret.
function inWords(issues: readonly SchemaIssue[]): string {
  const asked = issues.filter(({ keyword }) => keyword !== 'anyOf');
  return [...new Set((asked.length === 0 ? issues : asked).map(({ message }) => message))].join(', or ');
}

/** The expected form of a variable, in words: `an integer`, `a text (uri)`, `one of "fast", "slow"`. */
function kindOf(schema: TSchema): string {
  const { type, format, items, anyOf } = schema as Keywords;
  const values = 'const' in schema ? [schema.const] : 'enum' in schema ? (schema.enum as unknown[]) : undefined;
  if (values !== undefined) return values.length === 1 ? String(values[0]) : `one of ${values.map(String).join(', ')}`;
  if (anyOf !== undefined) return anyOf.map(kindOf).join(' or ');
  if (items !== undefined) return `a list of ${kindOf(items).replace(/^an? /, '')}, with commas`;
  if (type === 'boolean') return 'true or false';
  return type === 'string' ? `a text${format === undefined ? '' : ` (${format})`}` : type === 'integer' ? 'an integer' : 'a number'; // prettier-ignore
}

function meaningOf(schema: TSchema): string {
  const { description } = schema as { readonly description?: string };
  return description === undefined ? '' : ` (${description})`;
}
