import type { Tool } from '../../../kernel/contracts/tool.js';
import { fwError } from '../../../kernel/errors/index.js';
import { type SchemaIssue, validatorOf } from '../../../kernel/schema/index.js';
import { MCP_ERRORS } from '../errors.js';
import type { PathPolicy } from '../confinement/path-policy.js';

type Arguments = Record<string, unknown>;

/**
 * The arguments as the tool may use them: checked against its input schema, unknown ones refused, defaults filled in, every
 * path confined.
 *
 * @throws FwError `FW_MCP_ARGUMENTS`, or the refusal of a path (`FW_PATH_...`)
 */
export async function prepareArguments(tool: Tool, given: unknown, policy: PathPolicy): Promise<Arguments> {
  const input = structuredClone(given ?? {}) as Arguments;
  const issues = validatorOf(closed(tool)).check(input);
  if (issues.length > 0) throw fwError(MCP_ERRORS.FW_MCP_ARGUMENTS, { problems: issues.map(sentence).join('; ') });
  for (const name of tool.paths ?? []) {
    input[name] = await confined(input[name] as string | undefined, policy);
  }
  return input;
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

/** Names of the arguments of a call, sorted: all that a log may know of them. */
export function argumentNames(given: unknown): readonly string[] {
  return typeof given === 'object' && given !== null ? Object.keys(given).sort() : [];
}
