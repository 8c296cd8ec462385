import { token } from '../container/token.js';
import type { Tool } from '../contracts/tool.js';
import { fwError } from '../errors/index.js';
import { type PluginCategory, TOOL_CATEGORIES, type ToolCategory } from '../contracts/category.js';
import { CAPABILITY_ERRORS } from './capability-errors.js';

interface RegisteredPlugin {
  readonly id: string;
  readonly category: PluginCategory;
}

/** A tool with the plugin that contributed it. */
export interface RegisteredTool {
  readonly plugin: string;
  readonly tool: Tool;
}

/**
 * What this process can do: category to plugins to tools. The one source for `tools/list`, the handshake's granted and
 * known lists, refusals, `/mcp/features` and the generated docs.
 */
export class CapabilityRegistry {
  readonly #tools = new Map<string, RegisteredTool>();

  /**
   * @param plugins - enabled plugins in start order
   * @param tools - their tools
   * @throws FwError `FW_TOOL_TWICE`, `FW_TOOL_CATEGORY`
   */
  constructor(
    private readonly plugins: readonly RegisteredPlugin[],
    tools: readonly RegisteredTool[],
  ) {
    for (const entry of tools) this.#add(entry);
  }

  /** Ids of the plugins of a category, in start order. */
  pluginsOf(category: PluginCategory): readonly string[] {
    return this.plugins.filter((each) => each.category === category).map((each) => each.id);
  }

  /** Every tool, sorted by name. */
  tools(): readonly RegisteredTool[] {
    return [...this.#tools.values()].sort((a, b) => (a.tool.name < b.tool.name ? -1 : 1));
  }

  tool(name: string): RegisteredTool | undefined {
    return this.#tools.get(name);
  }

  /** Tool categories for which there is at least one tool, sorted. */
  categories(): readonly ToolCategory[] {
    return TOOL_CATEGORIES.filter((category) =>
      [...this.#tools.values()].some(({ tool }) => tool.category === category),
    );
  }

  #add(entry: RegisteredTool): void {
    const { name, category } = entry.tool;
    const first = this.#tools.get(name);
    if (first) throw fwError(CAPABILITY_ERRORS.FW_TOOL_TWICE, { name, first: first.plugin, second: entry.plugin });
    if (!TOOL_CATEGORIES.includes(category)) {
      throw fwError(CAPABILITY_ERRORS.FW_TOOL_CATEGORY, {
        name,
        plugin: entry.plugin,
        category,
        known: TOOL_CATEGORIES,
      });
    }
    this.#tools.set(name, entry);
  }
}

/** The registry of the running application; complete when `start` runs. */
export const Capabilities = token<CapabilityRegistry>('fw.Capabilities');
