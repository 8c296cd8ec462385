import { fwError } from '../../../kernel/errors/index.js';
import type { Logger } from '../../../kernel/index.js';
import { MCP_ERRORS } from '../errors.js';
import { type ServedTool, servedTools } from '../tool-set/served-tool.js';
import type { ToolSet } from '../tool-set/tool-set.js';

/** The tools of a server that a command line started. */
interface CommandLineTools {
  readonly tools: readonly ServedTool[];
  stop(): Promise<void>;
}

/** Sources of the tools. */
interface CommandLineToolsOptions {
  /** Configuration whose tools are added to the built-in ones. */
  readonly config: string | undefined;
  /** Modules of plugins whose tools are added as well. */
  readonly plugins: readonly string[];
  readonly cwd: string;
  /** The folder that tools work in. */
  readonly root: string;
  readonly log: Logger;
  readonly signal: AbortSignal;
}

/**
 * The built-in tools, and those of a configuration. An agent waits for the list at each start, so built-in tools are listed from the
 * build's prepared list, and loaded when they are called.
 *
 * @throws FwError when the configuration or one of its plugins cannot be loaded
 */
export async function commandLineTools(options: CommandLineToolsOptions): Promise<CommandLineTools> {
  const { preparedTools } = await import('#prepared-tools');
  if (preparedTools === undefined || options.config !== undefined || options.plugins.length > 0) {
    const gathered = await gather(options);
    return { tools: servedTools(gathered.registry), stop: () => gathered.stop() };
  }
  let gathering: Promise<ToolSet> | undefined;
  const load = async (name: string) => {
    gathering ??= gather(options);
    const found = (await gathering).registry.tools().find(({ tool }) => tool.name === name);
    if (found === undefined) throw fwError(MCP_ERRORS.FW_MCP_PREPARED, { tool: name });
    return found.tool;
  };
  return {
    tools: preparedTools.map((facts) => ({ ...facts, load: () => load(facts.listed.name) })),
    stop: async () => (await gathering)?.stop(),
  };
}

async function gather({ config, plugins, cwd, root, log, signal }: CommandLineToolsOptions): Promise<ToolSet> {
  const { gatherTools, pluginsAt, toolsOfConfig } = await import('../tool-set/tool-set.js');
  const further = pluginsAt(plugins, cwd);
  return config === undefined ? gatherTools({ root, log, signal, further }) : toolsOfConfig(config, cwd, log, further);
}
