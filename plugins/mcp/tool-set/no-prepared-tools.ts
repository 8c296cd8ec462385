import type { ToolFacts } from './served-tool.js';

/** Stands in for the facts that the build writes down, where the sources run: none, so the tools are loaded to be listed. */
export const preparedTools: readonly ToolFacts[] | undefined = undefined;
