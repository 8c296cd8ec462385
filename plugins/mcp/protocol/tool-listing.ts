import type { Tool } from '../../../kernel/index.js';

/** One entry of `tools/list`. The output schema stays out: it costs tokens, and clients check refusals against it. */
export interface ListedTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: Readonly<Record<string, unknown>>;
}

/** A tool as `tools/list` shows it. */
export function listedTool({ name, description, input }: Tool): ListedTool {
  const { properties, required } = input;
  return {
    name,
    description,
    inputSchema: { type: 'object', properties, ...(required && required.length > 0 && { required }) },
  };
}
