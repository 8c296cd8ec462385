import type { ToolResult } from '../../../kernel/contracts/tool.js';
import { fwError } from '../../../kernel/errors/index.js';
import { MCP_ERRORS } from '../errors.js';

/** Result of `tools/call` (MCP 2024-11-05 "Tools", with `structuredContent` of 2025-06-18). */
export interface CallResult {
  readonly content: readonly { readonly type: 'text'; readonly text: string }[];
  readonly structuredContent?: Readonly<Record<string, unknown>>;
  readonly isError?: true;
}

/** Bytes of text that one answer may have; a model could not read more, and a deployed process must not build it. */
export const MAX_RESULT_BYTES = 4 * 1024 * 1024;

/**
 * What a tool answered, as it goes over the wire: clients that read only text find the data there too.
 * @throws FwError `FW_MCP_RESULT_SIZE` when the answer is too large
 */
export function callResult(tool: string, { summary, structured, text, isError }: ToolResult<unknown>): CallResult {
  const words = text ?? `${summary}\n${JSON.stringify(structured, null, 2)}`;
  if (words.length > MAX_RESULT_BYTES) {
    throw fwError(MCP_ERRORS.FW_MCP_RESULT_SIZE, { tool, limit: MAX_RESULT_BYTES });
  }
  return {
    content: [{ type: 'text', text: words }],
    structuredContent: structured as Readonly<Record<string, unknown>>,
    ...(isError && { isError: true as const }),
  };
}

/** A tool error: a normal answer that says what went wrong. */
export function errorResult(text: string): CallResult {
  return { isError: true, content: [{ type: 'text', text }] };
}

/** An answer with what else the caller should know, each as a text of its own. */
export function withNotes(result: CallResult, notes: readonly string[]): CallResult {
  if (notes.length === 0) return result;
  return { ...result, content: [...result.content, ...notes.map((text) => ({ type: 'text' as const, text }))] };
}
