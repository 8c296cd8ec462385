import type { ToolFacts } from './served-tool.js';

/** Replaces the facts that the build prepares when the sources run directly: undefined, so that the tools are loaded to be listed. */
export const preparedTools: readonly ToolFacts[] | undefined = undefined;
