import { fwError } from '../../../kernel/errors/index.js';
import type { Logger } from '../../../kernel/index.js';
import { MCP_ERRORS } from '../errors.js';
import { type ServedTool, servedTools } from '../tool-set/served-tool.js';
import type { ToolSet } from '../tool-set/tool-set.js';

/** The tools of a server that a command line started. */
export interface CommandLineTools {
  readonly tools: readonly ServedTool[];
  stop(): Promise<void>;
}

/** Where they come from. */
export interface CommandLineToolsOptions {
  /** Configuration whose tools are added to the built-in ones. */
  readonly config: string | undefined;
  readonly cwd: string;
  /** The folder that tools work in. */
  readonly root: string;
  readonly log: Logger;
  readonly signal: AbortSignal;
}

/**
 * The built-in tools, and those of a configuration. An agent waits for the list at each start, so the built-in ones are listed
 * from what the build wrote down, and loaded when one is called.
 *
 * @throws FwError when the configuration or one of its plugins cannot be loaded
 */
export async function commandLineTools(options: CommandLineToolsOptions): Promise<CommandLineTools> {
  const { preparedTools } = await import('#prepared-tools');
  if (preparedTools === undefined || options.config !== undefined) {
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

async function gather({ config, cwd, root, log, signal }: CommandLineToolsOptions): Promise<ToolSet> {
  const { gatherTools, toolsOfConfig } = await import('../tool-set/tool-set.js');
  return config === undefined ? gatherTools({ root, log, signal }) : toolsOfConfig(config, cwd, log);
}
