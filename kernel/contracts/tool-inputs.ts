import type { TObject } from 'typebox';
import { defineErrors, fwError } from '../errors/index.js';

const TOOL_ERRORS = defineErrors('kernel/contracts (tools)', {
  FW_TOOL_INPUT: {
    message: 'The inputs of tool {tool} are declared wrongly: {problems}.',
    cause: 'Every input that can hold a string is either a path, which is confined, or text; the tool must say which.',
    remedy: 'List the input in `paths` or in `texts` of defineTool.',
  },
});

interface DeclaredInputs {
  readonly name: string;
  readonly input: TObject;
  readonly paths?: readonly string[];
  readonly texts?: readonly string[];
}

/** Checks that each input that can hold a string is declared as a path or as text, and that no other one is. */
export function checkStringInputs(tool: DeclaredInputs): void {
  const problems = [...problemsOf(tool)];
  if (problems.length > 0) throw fwError(TOOL_ERRORS.FW_TOOL_INPUT, { tool: tool.name, problems: problems.join('; ') });
}

function* problemsOf({ input, paths = [], texts = [] }: DeclaredInputs): Generator<string> {
  for (const name of stringInputs(input)) {
    const times = Number(paths.includes(name)) + Number(texts.includes(name));
    if (times === 0) yield `"${name}" can hold a string, but is neither in paths nor in texts`;
    if (times === 2) yield `"${name}" is both in paths and in texts`;
  }
  for (const name of [...paths, ...texts]) {
    if (!(name in input.properties)) yield `"${name}" is not an input`;
  }
  for (const name of paths) {
    if (name in input.properties && typeOf(input.properties[name]) !== 'string')
      yield `the path "${name}" is not a string`;
  }
}

/** Names of the inputs whose schema admits a string at any depth. */
function stringInputs(input: TObject): readonly string[] {
  return Object.keys(input.properties).filter((name) => admitsString(input.properties[name]));
}

function typeOf(schema: unknown): unknown {
  return (schema as { readonly type?: unknown } | undefined)?.type;
}

// A schema that is not known to exclude strings counts as admitting them: a mistake then costs a needless declaration instead of an
// unchecked path.
function admitsString(schema: unknown): boolean {
  const { type, enum: values, const: only, items, anyOf } = schema as Record<string, unknown>;
  if (values !== undefined || only !== undefined) return false;
  if (Array.isArray(anyOf)) return anyOf.some(admitsString);
  if (type === 'array') return items === undefined || admitsString(items);
  return !(['boolean', 'integer', 'number', 'null'] as unknown[]).includes(type);
}
