import { token } from '../container/token.js';
import { isToolCategory, type PluginCategory, TOOL_CATEGORIES, type ToolCategory } from '../contracts/category.js';
import type { Tool } from '../contracts/tool.js';
import { fwError } from '../errors/index.js';
import { byText } from '../values/index.js';
import { CAPABILITY_ERRORS } from './capability-errors.js';

/** An enabled plugin, with what it adds to the application. */
export interface RegisteredPlugin {
  readonly id: string;
  readonly category: PluginCategory;
  /** One sentence of its manifest. */
  readonly description: string;
  /** Range of framework releases that it supports; undefined if its manifest gives none. */
  readonly fw?: string | undefined;
  /** Plugin that added this one; undefined for a plugin that `app.config.ts` lists. */
  readonly broughtBy?: string | undefined;
  /** Names of the tokens that it provides. */
  readonly provides: readonly string[];
  /** Names of the tokens that it uses. */
  readonly uses: readonly string[];
  /** Names of the tokens that it contributes to, one for each contribution. */
  readonly contributes: readonly string[];
}

/** A tool as a plugin contributed it. */
interface ContributedTool {
  readonly plugin: string;
  readonly tool: Tool;
}

/** A tool with the plugin that contributed it, and its category, which the caller's token must be granted. */
export interface RegisteredTool extends ContributedTool {
  readonly category: ToolCategory;
}

/** Plugins and tools of one category. */
export interface CategoryContents {
  readonly category: PluginCategory;
  /** In start order. */
  readonly plugins: readonly RegisteredPlugin[];
  /** Tools of this category, whichever plugin contributed them; sorted by name. */
  readonly tools: readonly RegisteredTool[];
}

/**
 * What this process can do: category to plugins to tools. The one source for the boot report, `tools/list`, the handshake's
 * granted and known lists, refusals, `/mcp/features`, `fw_features` and the generated docs.
 */
export class CapabilityRegistry {
  readonly #tools = new Map<string, RegisteredTool>();
  readonly #plugins: ReadonlyMap<string, RegisteredPlugin>;

  /**
   * @param plugins - enabled plugins in start order
   * @param tools - their tools
   * @throws FwError `FW_TOOL_TWICE`, `FW_TOOL_CATEGORY`, `FW_TOOL_OTHER_CATEGORY`
   */
  constructor(plugins: readonly RegisteredPlugin[], tools: readonly ContributedTool[]) {
    this.#plugins = new Map(plugins.map((each) => [each.id, each]));
    for (const entry of tools) this.#add(entry);
  }

  /**
   * Merges this registry with others; of a plugin that is in several, the first counts.
   * @throws FwError `FW_TOOL_TWICE`
   */
  with(others: Iterable<CapabilityRegistry>): CapabilityRegistry {
    return [...others].reduce((all, other) => all.#and(other), this as CapabilityRegistry);
  }

  #and(other: CapabilityRegistry): CapabilityRegistry {
    const isNew = (id: string) => this.plugin(id) === undefined;
    return new CapabilityRegistry(
      [...this.plugins(), ...other.plugins().filter(({ id }) => isNew(id))],
      [...this.tools(), ...other.tools().filter(({ plugin }) => isNew(plugin))],
    );
  }

  /** Every enabled plugin, in start order. */
  plugins(): readonly RegisteredPlugin[] {
    return [...this.#plugins.values()];
  }

  plugin(id: string): RegisteredPlugin | undefined {
    return this.#plugins.get(id);
  }

  /** Every tool, sorted by name. */
  tools(): readonly RegisteredTool[] {
    return [...this.#tools.values()].sort((one, other) => byText(one.tool.name, other.tool.name));
  }

  tool(name: string): RegisteredTool | undefined {
    return this.#tools.get(name);
  }

  /** Tool categories for which there is at least one tool, sorted. */
  categories(): readonly ToolCategory[] {
    return TOOL_CATEGORIES.filter((category) => [...this.#tools.values()].some((each) => each.category === category));
  }

  /** The contents of each category that is not empty, sorted by category. */
  contents(): readonly CategoryContents[] {
    const tools = this.tools();
    const plugins = this.plugins();
    const held = new Set([...plugins, ...tools].map(({ category }) => category));
    return [...held].sort().map((category) => ({
      category,
      plugins: plugins.filter((each) => each.category === category),
      tools: tools.filter((each) => each.category === category),
    }));
  }

  #add({ plugin, tool }: ContributedTool): void {
    const { name } = tool;
    const first = this.#tools.get(name);
    if (first) throw fwError(CAPABILITY_ERRORS.FW_TOOL_TWICE, { name, first: first.plugin, second: plugin });
    this.#tools.set(name, { plugin, tool, category: this.#categoryOf(tool, plugin) });
  }

  // A tool plugin's category is the scope of its tools; the tools of other plugins name theirs.
  #categoryOf({ name, category: named }: Tool, plugin: string): ToolCategory {
    const own = this.#plugins.get(plugin)?.category;
    const category = named ?? own;
    if (!isToolCategory(category)) {
      const given = named === undefined ? `none, and its plugin is of category "${String(own)}"` : `"${String(named)}"`;
      throw fwError(CAPABILITY_ERRORS.FW_TOOL_CATEGORY, { name, plugin, given, known: TOOL_CATEGORIES });
    }
    if (isToolCategory(own) && own !== category) {
      throw fwError(CAPABILITY_ERRORS.FW_TOOL_OTHER_CATEGORY, { name, plugin, category, own });
    }
    return category;
  }
}

/** The registry of the running application; complete when `start` runs. */
export const Capabilities = token<CapabilityRegistry>('fw.Capabilities');
