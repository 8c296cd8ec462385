import type { Tool } from '../../../kernel/index.js';
import { listedSchema } from './input-schema.js';

/** Hints for a client that asks its user before a model calls a tool (MCP 2025-03-26 "Tool annotations"). */
type ToolAnnotations =
  | { readonly readOnlyHint: true }
  | { readonly readOnlyHint: false; readonly destructiveHint: boolean; readonly idempotentHint: boolean };

/** One entry of `tools/list`. The output schema stays out: it costs tokens, and clients check refusals against it. */
export interface ListedTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: Readonly<Record<string, unknown>>;
  readonly annotations: ToolAnnotations;
}

/** A tool as `tools/list` shows it. */
export function listedTool(tool: Tool): ListedTool {
  const { name, description, input } = tool;
  return { name, description, inputSchema: listedSchema(input), annotations: annotationsOf(tool) };
}

/** A listing entry for a read-only server: its tools have no effects, or do without them there. */
export function withoutEffects(listed: ListedTool): ListedTool {
  return { ...listed, annotations: { readOnlyHint: true } };
}

function annotationsOf({ effects, destructive = true, idempotent = false }: Tool): ToolAnnotations {
  if (effects.length === 0) return { readOnlyHint: true };
  return { readOnlyHint: false, destructiveHint: destructive, idempotentHint: idempotent };
}
