import {
  bootApp,
  Capabilities,
  type CapabilityRegistry,
  defineApp,
  loadConfig,
  type Logger,
} from '../../../kernel/index.js';
import { serverVersion } from '../protocol/version.js';
import { builtInTools } from './built-in-tools.js';

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
export async function toolsOfConfig(file: string, cwd: string, log: Logger): Promise<ToolSet> {
  const { config, root } = await loadConfig(file, { cwd });
  const app = await bootApp(config, { root, log, registerOnly: true, unlessListed: await builtInTools() });
  return { registry: app.services.get(Capabilities), stop: () => app.stop() };
}

/** Where the built-in tools are gathered. */
export interface ToolSetOptions {
  readonly root: string;
  readonly log: Logger;
  readonly signal?: AbortSignal;
}

/** Gathers the built-in tools: they are plugins of a small application of their own, so that they are there whatever another enables. */
export async function gatherTools({ root, log, signal }: ToolSetOptions): Promise<ToolSet> {
  const app = await bootApp(defineApp({ name: 'fw-mcp', version: serverVersion(), plugins: await builtInTools() }), {
    root,
    log,
    ...(signal && { signal }),
  });
  return { registry: app.services.get(Capabilities), stop: () => app.stop() };
}
