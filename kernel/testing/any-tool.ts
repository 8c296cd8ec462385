import type { ToolContext } from '../contracts/tool.js';

/**
 * The part of a tool's context that a control plane supplies, for tests without one: every other tool is permitted with any arguments, all
 * categories are empty, and `confirm` answers `unasked`.
 */
export const ANY_TOOL: Pick<ToolContext, 'categories' | 'permit' | 'argumentsFor' | 'confirm'> = {
  categories: [],
  permit: () => undefined,
  argumentsFor: (_tool, given) => Promise.resolve(given as Readonly<Record<string, unknown>>),
  confirm: () => Promise.resolve('unasked'),
};
