import type { ToolContext } from '../contracts/tool.js';

/**
 * The part of a tool's context that a control plane makes up: here there is none, so the tool may act as any other one, with
 * whatever arguments, and no category holds anything.
 */
export const ANY_TOOL: Pick<ToolContext, 'categories' | 'permit' | 'argumentsFor'> = {
  categories: [],
  permit: () => undefined,
  argumentsFor: (_tool, given) => Promise.resolve(given as Readonly<Record<string, unknown>>),
};
