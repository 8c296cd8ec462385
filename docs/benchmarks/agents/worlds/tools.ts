import { bootTestApp, type BootedTestApp } from '../../../../kernel/testing/index.js';
import { Capabilities, type Logger, plugin, type PluginEntry } from '../../../../kernel/index.js';
import { pathPolicy } from '../../../../plugins/mcp/confinement/workspace-roots.js';
import { ControlPlane } from '../../../../plugins/mcp/protocol/control-plane.js';
import { unscopedScope } from '../../../../plugins/mcp/scope/scope.js';
import { CALLER } from '../../../../plugins/mcp/testing/fixture-plane.js';
import { servedTools } from '../../../../plugins/mcp/tool-set/served-tool.js';
import fleet from '../../../../plugins/tools/fleet/index.js';
import generation from '../../../../plugins/tools/generation/index.js';
import introspection from '../../../../plugins/tools/introspection/index.js';
import knowledge from '../../../../plugins/tools/knowledge/index.js';
import planning from '../../../../plugins/tools/planning/index.js';
import provisioning from '../../../../plugins/tools/provisioning/index.js';
import runtime from '../../../../plugins/tools/runtime/index.js';
import verification from '../../../../plugins/tools/verification/index.js';
import type { CallTool } from '../evaluation/play.js';

/** The tools of a generator-mode server in this process. */
export interface ToolsWorld {
  readonly app: BootedTestApp;
  /** The tools over one folder, as the workspace of a server. */
  over(folder: string): Promise<CallTool>;
}

/** @param runtimeProgram - stands in for the container runtime */
export async function toolsWorld(folder: string, runtimeProgram: string): Promise<ToolsWorld> {
  const containers = { baseImage: 'base:1', runtime: runtimeProgram, stateDir: `${folder}/state` };
  const app = await bootTestApp({
    plugins: [
      ...[generation, introspection, knowledge, planning, verification, runtime, fleet],
      plugin(() => Promise.resolve(provisioning), containers) as PluginEntry,
    ],
  });
  const tools = servedTools(app.services.get(Capabilities));
  return {
    app,
    over: async (root) => {
      const common = { mode: 'generator' as const, scope: unscopedScope(), workspaceTools: true };
      const plane = new ControlPlane({
        ...common,
        tools,
        paths: await pathPolicy([root], root),
        log: app.log as Logger,
      });
      return async (name, given) => {
        const { content, isError = false } = await plane.call(name, given, CALLER);
        return { text: content.map(({ text }) => text).join('\n'), isError };
      };
    },
  };
}
