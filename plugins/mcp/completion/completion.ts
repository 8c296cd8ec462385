import { isObject } from '../../../kernel/values/index.js';
import { INVALID_PARAMS, JsonRpcError } from '../protocol/json-rpc.js';
import type { Asker, Params } from '../protocol/answer.js';
import type { ValueSource } from '../prompts/prompt.js';
import { DOCUMENT_TEMPLATE, documentValues } from '../resources/documentation.js';

/** MCP 2024-11-05 "Completion": most values of one answer. */
const MOST_VALUES = 100;

interface Question {
  readonly ref: Readonly<Record<string, unknown>>;
  readonly name: string;
  readonly value: string;
  /** Arguments that have values already (MCP 2025-06-18). */
  readonly known: Readonly<Record<string, unknown>>;
}

/** Result of `completion/complete`: the values that contain the typed text. @throws JsonRpcError -32602 */
export async function complete(params: Params, asker: Asker): Promise<object> {
  const question = read(params);
  const all = await valuesFor(question, asker);
  const typed = question.value.toLowerCase();
  const fitting = all.filter((each) => each.toLowerCase().includes(typed));
  // Values that begin with the typed text rank before those that only contain it.
  const sorted = [...fitting].sort((a, b) => Number(begins(b, typed)) - Number(begins(a, typed)));
  const values = sorted.slice(0, MOST_VALUES);
  return { completion: { values, total: fitting.length, hasMore: fitting.length > values.length } };
}

function begins(text: string, typed: string): boolean {
  return text.toLowerCase().startsWith(typed);
}

function read(params: Params): Question {
  const { ref, argument, context } = (params ?? {}) as Record<string, Record<string, unknown> | undefined>;
  const { name, value } = argument ?? {};
  if (!isObject(ref) || typeof name !== 'string' || typeof value !== 'string')
    throw invalid('params.ref, and params.argument with name and value');
  return { ref, name, value, known: (context?.['arguments'] ?? {}) as Question['known'] };
}

function valuesFor(question: Question, asker: Asker): Promise<readonly string[]> {
  const { ref, name, known } = question;
  if (ref['type'] === 'ref/resource' && ref['uri'] === DOCUMENT_TEMPLATE && asker.plane.documented)
    return documentValues(name, known);
  if (ref['type'] === 'ref/prompt') return promptValues(question, asker);
  throw invalid(`a prompt of prompts/list, or the resource template ${DOCUMENT_TEMPLATE} where it is served`);
}

async function promptValues({ ref, name }: Question, { plane, signal }: Asker): Promise<readonly string[]> {
  const prompts = await plane.prompts();
  const prompt = prompts.find((each) => each.name === ref['name']);
  const argument = prompt?.arguments.find((each) => each.name === name);
  if (!argument) throw invalid('an argument of a prompt of prompts/list');
  const { values = [] } = argument;
  return 'tool' in values ? valuesOfTool(values, (tool) => plane.call(tool, {}, silent(signal))) : values;
}

// A failing tool, for example in a folder that is no project, gives no values; that is no error of the caller.
async function valuesOfTool(
  { tool, at }: ValueSource,
  call: (tool: string) => Promise<{ readonly structuredContent?: unknown }>,
): Promise<readonly string[]> {
  const { structuredContent } = await call(tool);
  const found = at.split('/').reduce<readonly unknown[]>((level, field) => below(level, field), [structuredContent]);
  return [...new Set(found.filter((each): each is string => typeof each === 'string'))].sort();
}

function below(level: readonly unknown[], field: string): readonly unknown[] {
  return level.flatMap((each) => {
    const value = (each as Readonly<Record<string, unknown>> | null | undefined)?.[field];
    return Array.isArray(value) ? (value as unknown[]) : [value];
  });
}

function silent(signal: AbortSignal) {
  return { signal, progress: () => {}, log: () => {}, confirm: () => Promise.resolve('unasked' as const) };
}

function invalid(expected: string): JsonRpcError {
  return new JsonRpcError(INVALID_PARAMS, `completion/complete: expected ${expected}.`);
}
