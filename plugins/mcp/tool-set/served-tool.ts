import type { CapabilityRegistry, RegisteredTool, ServedCategory, Tool, ToolCategory } from '../../../kernel/index.js';
import { type ListedTool, listedTool } from '../protocol/tool-listing.js';

/** Facts about a tool that a server needs before a call. Plain data, so that the build can prepare them. */
export interface ToolFacts {
  readonly listed: ListedTool;
  readonly category: ToolCategory;
  /** Id of the plugin that contributed it. */
  readonly plugin: string;
  /** Whether it can be served where there is no source tree and nothing may be changed. */
  readonly inProcess: boolean;
}

/** A tool as a server holds it. */
export interface ServedTool extends ToolFacts {
  /** The tool itself, loaded when it is first called. */
  load(): Promise<Tool>;
}

/** The facts about a tool. */
export function toolFacts({ tool, category, plugin }: RegisteredTool): ToolFacts {
  return { listed: listedTool(tool), category, plugin, inProcess: runsInProcess(tool) };
}

/** Served tools of a registry, whose tools are loaded already. */
export function servedTools(registry: CapabilityRegistry): readonly ServedTool[] {
  return registry.tools().map((each) => ({ ...toolFacts(each), load: () => Promise.resolve(each.tool) }));
}

/** The tools by category, sorted; without empty categories. */
export function servedCategories(
  tools: readonly ToolFacts[],
  grants: (category: ToolCategory) => boolean,
): readonly ServedCategory[] {
  const categories = [...new Set(tools.map(({ category }) => category))].sort();
  return categories.map((category) => {
    const own = tools.filter((each) => each.category === category);
    return {
      category,
      granted: grants(category),
      plugins: [...new Set(own.map(({ plugin }) => plugin))].sort(),
      tools: own.map(({ listed }) => listed.name),
    };
  });
}

function runsInProcess(tool: Tool): boolean {
  return tool.reach === 'inProcess' && (tool.effects.length === 0 || tool.heedsReadOnly === true);
}
