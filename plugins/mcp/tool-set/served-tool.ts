import type { CapabilityRegistry, Tool, ToolCategory } from '../../../kernel/index.js';
import { type ListedTool, listedTool } from '../protocol/tool-listing.js';

/** What a server has to know of a tool before anybody calls it. Plain data, so that the build can write it down. */
export interface ToolFacts {
  readonly listed: ListedTool;
  readonly category: ToolCategory;
  /** Whether it can be served where there is no source tree and nothing may be changed. */
  readonly inProcess: boolean;
}

/** A tool as a server holds it. */
export interface ServedTool extends ToolFacts {
  /** The tool itself, loaded when it is first called. */
  load(): Promise<Tool>;
}

/** The facts about a tool. */
export function toolFacts(tool: Tool): ToolFacts {
  return { listed: listedTool(tool), category: tool.category, inProcess: runsInProcess(tool) };
}

/** Tools that are loaded already. */
export function servedTools(registry: CapabilityRegistry): readonly ServedTool[] {
  return registry.tools().map(({ tool }) => ({ ...toolFacts(tool), load: () => Promise.resolve(tool) }));
}

function runsInProcess(tool: Tool): boolean {
  return tool.reach === 'inProcess' && (tool.effects.length === 0 || tool.heedsReadOnly === true);
}
