import {
  bootApp,
  Capabilities,
  CapabilityRegistry,
  defineApp,
  loadConfig,
  type Logger,
  type RegisteredTool,
} from '../../../kernel/index.js';
import { serverVersion } from '../protocol/version.js';
import { BUILT_IN_TOOLS } from './built-in-tools.js';

/** The tools of a server, and how to let go of what they hold. */
export interface ToolSet {
  readonly registry: CapabilityRegistry;
  stop(): Promise<void>;
}

/**
 * The tools that an application's plugins contribute. The plugins are imported and registered, but nothing is started. The tools
 * that the framework brings along are there as well, so that a configuration need not list what the one it sets options of needs.
 *
 * @param file - configuration, given by the operator
 * @throws FwError when the configuration or one of its plugins cannot be loaded
 */
export async function toolsOfConfig(file: string, cwd: string, log: Logger): Promise<CapabilityRegistry> {
  const { config, root } = await loadConfig(file, cwd);
  const app = await bootApp(config, { root, log, registerOnly: true, unlessListed: BUILT_IN_TOOLS });
  return app.services.get(Capabilities);
}

/** Where a set of tools comes from. */
export interface ToolSetOptions {
  /** Whether the tools that the framework brings along are in it. */
  readonly builtIn: boolean;
  /** Tools of the application's own plugins; a built-in plugin that is among them is not added again. */
  readonly added?: CapabilityRegistry;
  readonly root: string;
  readonly log: Logger;
  readonly signal?: AbortSignal;
}

/**
 * Gathers the tools of a server. The built-in ones are plugins of a small application of their own, so that they are there
 * whatever the surrounding application enables.
 */
export async function gatherTools({ builtIn, added, root, log, signal }: ToolSetOptions): Promise<ToolSet> {
  const app = await bootApp(
    defineApp({ name: 'fw-mcp', version: serverVersion(), plugins: builtIn ? BUILT_IN_TOOLS : [] }),
    { root, log, ...(signal && { signal }) },
  );
  const extra = added?.tools() ?? [];
  const present = new Set(extra.map(({ plugin }) => plugin));
  const own = app.services
    .get(Capabilities)
    .tools()
    .filter(({ plugin }) => !present.has(plugin));
  return { registry: merged(own, extra), stop: () => app.stop() };
}

function merged(own: readonly RegisteredTool[], extra: readonly RegisteredTool[]): CapabilityRegistry {
  const ids = new Set([...own, ...extra].map(({ plugin }) => plugin));
  const plugins = [...ids].map((id) => ({ id, category: 'tools' as const }));
  return new CapabilityRegistry(plugins, [...own, ...extra]);
}
