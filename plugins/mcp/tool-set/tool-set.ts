import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import {
  bootApp,
  Capabilities,
  type CapabilityRegistry,
  defineApp,
  fwError,
  loadConfig,
  type Logger,
  plugin,
  type Plugin,
  type PluginEntry,
} from '../../../kernel/index.js';
import { MCP_ERRORS } from '../errors.js';
import { serverVersion } from '../protocol/version.js';
import { builtInTools } from './built-in-tools.js';

/** The tools of a server, and a function that releases their resources. */
export interface ToolSet {
  readonly registry: CapabilityRegistry;
  stop(): Promise<void>;
}

/**
 * The tools that an application's plugins contribute. The plugins are imported and registered, but nothing is started. The framework's tool
 * plugins are added, so that a configuration can set options of one without listing the plugins that it needs.
 *
 * @param file - configuration, given by the operator
 * @throws FwError when the configuration or one of its plugins cannot be loaded
 */
export async function toolsOfConfig(
  file: string,
  cwd: string,
  log: Logger,
  further: readonly PluginEntry[] = [],
): Promise<ToolSet> {
  const { config, root } = await loadConfig(file, { cwd });
  const app = await bootApp(config, {
    root,
    log,
    registerOnly: true,
    unlessListed: [...(await builtInTools()), ...further],
  });
  return { registry: app.services.get(Capabilities), stop: () => app.stop() };
}

/** Where the built-in tools are gathered. */
interface ToolSetOptions {
  readonly root: string;
  readonly log: Logger;
  readonly signal?: AbortSignal;
  /** Plugins whose tools are there as well. */
  readonly further?: readonly PluginEntry[];
}

/** Gathers the built-in tools: they are plugins of a small application of their own, independent of what another application enables. */
export async function gatherTools({ root, log, signal, further = [] }: ToolSetOptions): Promise<ToolSet> {
  const plugins = [...(await builtInTools()), ...further];
  const app = await bootApp(defineApp({ name: 'fw-mcp', version: serverVersion(), plugins }), {
    root,
    log,
    ...(signal && { signal }),
  });
  return { registry: app.services.get(Capabilities), stop: () => app.stop() };
}

/**
 * Plugins that an operator names: of the framework (`fw/tools/workbench`), or packages and files of a folder.
 * @throws FwError `FW_MCP_PLUGIN` when there is none of that name
 */
export function pluginsAt(modules: readonly string[], cwd: string): readonly PluginEntry[] {
  return modules.map((module) => {
    const located = module.startsWith('fw/') ? module : pathToFileURL(resolved(module, cwd)).href;
    return plugin(() => import(located) as Promise<{ default: Plugin }>);
  });
}

function resolved(module: string, cwd: string): string {
  try {
    return createRequire(path.join(cwd, 'package.json')).resolve(module);
  } catch (cause) {
    throw fwError(MCP_ERRORS.FW_MCP_PLUGIN, { module, folder: cwd }, { cause });
  }
}
