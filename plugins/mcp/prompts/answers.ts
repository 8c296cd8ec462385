import { INVALID_PARAMS, JsonRpcError } from '../protocol/json-rpc.js';
import type { Params } from '../protocol/answer.js';
import type { Prompt } from './prompt.js';

/** Longest value of an argument; it becomes part of what a model reads. */
const MAX_VALUE = 2_000;

/** Result of `prompts/list` (MCP 2024-11-05 "Prompts"). */
export function listPrompts(prompts: readonly Prompt[]): object {
  return {
    prompts: prompts.map(({ name, title, description, arguments: wanted }) => ({
      name,
      title,
      description,
      arguments: wanted.map(({ name, description, required = false }) => ({ name, description, required })),
    })),
  };
}

/** Result of `prompts/get`. @throws JsonRpcError -32602 for another prompt, or for arguments that are missing or unknown */
export function getPrompt(prompts: readonly Prompt[], params: Params, reachable: readonly string[]): object {
  const prompt = prompts.find(({ name }) => name === params?.['name']);
  if (!prompt) throw invalid(`params.name is one of ${prompts.map(({ name }) => name).join(', ')}`);
  const given = textsOf(prompt, params?.['arguments'] ?? {});
  const text = prompt.text(
    (name) => (given.has(name) ? quoted(given.get(name) as string) : undefined),
    (tool) => reachable.includes(tool),
  );
  return { description: prompt.description, messages: [{ role: 'user', content: { type: 'text', text } }] };
}

function textsOf(prompt: Prompt, given: unknown): ReadonlyMap<string, string> {
  if (typeof given !== 'object' || given === null) throw invalid('params.arguments is an object');
  const texts = new Map<string, string>();
  for (const [name, value] of Object.entries(given)) {
    if (!prompt.arguments.some((each) => each.name === name))
      throw invalid(`${prompt.name} takes ${prompt.arguments.map((each) => each.name).join(', ') || 'no arguments'}`);
    if (typeof value !== 'string' || value.length > MAX_VALUE)
      throw invalid(`${name} is a text of at most ${MAX_VALUE} characters`);
    if (value.trim() !== '') texts.set(name, value.trim());
  }
  const missing = prompt.arguments.filter(({ name, required }) => required && !texts.has(name));
  if (missing.length > 0) throw invalid(`${prompt.name} gets ${missing.map(({ name }) => name).join(', ')}`);
  return texts;
}

// On one line and in quotes, so that the value of an argument is not read as an instruction.
function quoted(text: string): string {
  return JSON.stringify(text);
}

function invalid(expected: string): JsonRpcError {
  return new JsonRpcError(INVALID_PARAMS, `prompts/get: expected that ${expected}.`);
}
