import type { Tool } from '../../../kernel/contracts/tool.js';
import { fwError } from '../../../kernel/errors/index.js';
import { type SchemaIssue, validatorOf } from '../../../kernel/schema/index.js';
import { MCP_ERRORS } from '../errors.js';
import type { PathPolicy } from '../confinement/path-policy.js';

type Arguments = Record<string, unknown>;

/**
 * Checks arguments against the tool's input schema, refuses unknown ones, fills defaults in, and confines every path. A null for an optional
 * argument means that it is left out.
 *
 * @throws FwError `FW_MCP_ARGUMENTS`, or the refusal of a path (`FW_PATH_...`)
 */
export async function prepareArguments(tool: Tool, given: unknown, policy: PathPolicy): Promise<Arguments> {
  const input = withoutNulls(tool, structuredClone(given ?? {}) as Arguments);
  const issues = validatorOf(closed(tool)).check(input);
  if (issues.length > 0)
    throw fwError(MCP_ERRORS.FW_MCP_ARGUMENTS, {
      problems: issues.map(sentence).join('; ') + known(tool, issues) + meanings(tool, issues),
    });
  for (const name of tool.paths ?? []) {
    input[name] = await confined(input[name] as string | undefined, policy);
  }
  return input;
}

// OpenAI's strict mode lets a model leave no property out: clients list all as required there, the optional ones with null
// (https://platform.openai.com/docs/guides/structured-outputs, "All fields must be required").
function withoutNulls({ input }: Tool, given: Arguments): Arguments {
  const { properties, required } = input as { properties: object; required?: readonly string[] };
  if (typeof given !== 'object' || Array.isArray(given)) return given;
  const isLeftOut = (name: string) => given[name] === null && name in properties && !required?.includes(name);
  return Object.fromEntries(Object.entries(given).filter(([name]) => !isLeftOut(name)));
}

async function confined(given: string | undefined, policy: PathPolicy): Promise<string> {
  const path = given?.trim();
  return path === undefined || path === '' ? policy.workspace : policy.confine(path);
}

const closedSchemas = new WeakMap<Tool, Tool['input']>();

function closed(tool: Tool): Tool['input'] {
  const known = closedSchemas.get(tool) ?? { ...tool.input, additionalProperties: false };
  closedSchemas.set(tool, known);
  return known;
}

function sentence({ path, message }: SchemaIssue): string {
  return path === '' ? `the whole ${message}` : `${path.slice(1).replaceAll('/', '.')} ${message}`;
}

// Who guessed a name needs the right ones.
function known({ input }: Tool, issues: readonly SchemaIssue[]): string {
  const isKnown = ({ path }: SchemaIssue) => (path.split('/')[1] ?? '') in input.properties;
  return issues.every(isKnown) ? '' : ` (known: ${Object.keys(input.properties).join(', ') || 'none'})`;
}

interface Described {
  readonly description?: string;
  readonly enum?: readonly unknown[];
}

// Who gave a wrong value may not have the schema before them any more. An issue about a listed value says the list itself.
function meanings({ input }: Tool, issues: readonly SchemaIssue[]): string {
  const properties = input.properties as Readonly<Record<string, Described>>;
  const wrong = issues.filter(({ keyword }) => keyword !== 'enum').map(({ path }) => path.split('/')[1] ?? '');
  return [...new Set(wrong)]
    .map((name) => [name, meaningOf(properties[name])] as const)
    .filter(([, meaning]) => meaning !== '')
    .map(([name, meaning]) => `. ${name}: ${meaning}`)
    .join('');
}

const meaningOf = ({ description, enum: values }: Described = {}): string =>
  [description, values?.join(' or ')].filter((each) => each !== undefined).join('; ');

/** Names of the arguments of a call, sorted: all that a log may know of them. */
export function argumentNames(given: unknown): readonly string[] {
  return typeof given === 'object' && given !== null ? Object.keys(given).sort() : [];
}
