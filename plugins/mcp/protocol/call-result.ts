import type { ToolResult } from '../../../kernel/contracts/tool.js';
import { fwError } from '../../../kernel/errors/index.js';
import { isObject } from '../../../kernel/values/index.js';
import { MCP_ERRORS } from '../errors.js';
import { plainText } from './plain-text.js';

/** Result of `tools/call` (MCP 2024-11-05 "Tools", with `structuredContent` of 2025-06-18). */
export interface CallResult {
  readonly content: readonly { readonly type: 'text'; readonly text: string }[];
  readonly structuredContent?: Readonly<Record<string, unknown>>;
  readonly isError?: true;
}

/** Bytes of text that one answer may have; a model could not read more, and a deployed process must not build larger ones. */
const MAX_RESULT_BYTES = 4 * 1024 * 1024;

/**
 * The wire form of a tool's answer. Its text includes the data in short form, for clients that read only text.
 * @throws FwError `FW_MCP_RESULT_SIZE` when the answer is too large
 */
export function callResult(tool: string, { summary, structured, text, isError }: ToolResult<unknown>): CallResult {
  const words = text ?? textOf(summary, structured);
  if (Buffer.byteLength(words) > MAX_RESULT_BYTES) {
    throw fwError(MCP_ERRORS.FW_MCP_RESULT_SIZE, { tool, limit: MAX_RESULT_BYTES });
  }
  return {
    content: [{ type: 'text', text: words }],
    structuredContent: structured as Readonly<Record<string, unknown>>,
    ...(isError && { isError: true as const }),
  };
}

/** A sentence and the data behind it; what the sentence says already is not said again. */
export function textOf(summary: string, structured: unknown): string {
  const data = plainText(without(summary, structured));
  return data === '' ? summary : `${summary}\n${data}`;
}

function without(summary: string, structured: unknown): unknown {
  if (!isObject(structured)) return structured;
  return Object.fromEntries(Object.entries(structured).filter(([, value]) => value !== summary));
}

/** A tool error: a normal answer that says what went wrong. */
export function errorResult(text: string): CallResult {
  return { isError: true, content: [{ type: 'text', text }] };
}

/** Adds notes for the caller to an answer, each as a text of its own. */
export function withNotes(result: CallResult, notes: readonly string[]): CallResult {
  if (notes.length === 0) return result;
  return { ...result, content: [...result.content, ...notes.map((text) => ({ type: 'text' as const, text }))] };
}
