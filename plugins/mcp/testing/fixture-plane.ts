import { Type } from 'typebox';
import {
  CapabilityRegistry,
  defineTool,
  type Logger,
  type Tool,
  TOOL_CATEGORIES,
  type ToolCategory,
} from '../../../kernel/index.js';
import { RecordingLogger } from '../../../kernel/testing/index.js';
import type { PathPolicy } from '../confinement/path-policy.js';
import type { Caller } from '../protocol/caller.js';
import { ControlPlane, type ControlPlaneOptions } from '../protocol/control-plane.js';
import { unscopedScope } from '../scope/scope.js';
import { servedTools } from '../tool-set/served-tool.js';

/** A tool that names its category. */
export type ScopedTool = Tool & { readonly category: ToolCategory };

/** The tools of a registry, as tools of no plugin in particular. */
export function scopedTools(registry: CapabilityRegistry): readonly ScopedTool[] {
  return registry.tools().map(({ tool, category }) => ({ ...tool, category }));
}

/** A tool that answers with its input. */
export function echoTool(name: string, category: ToolCategory, rest: Partial<Tool> = {}): ScopedTool {
  return defineTool({
    name,
    category,
    description: `echoes, ${category}`,
    input: Type.Object({ text: Type.Optional(Type.String()), dir: Type.Optional(Type.String()) }),
    output: Type.Object({ text: Type.String() }),
    texts: ['text'],
    paths: ['dir'],
    reach: 'inProcess',
    effects: [],
    run: async (input: unknown) => ({ summary: 'echo', structured: { text: JSON.stringify(input) } }),
    ...rest,
  } as never) as ScopedTool;
}

/** A tool of each category, named `echo_<category>`. */
export const ECHOES: readonly ScopedTool[] = TOOL_CATEGORIES.map((category) => echoTool(`echo_${category}`, category));

/** A registry of tools without a boot. */
function registryOf(tools: readonly Tool[]): CapabilityRegistry {
  const test = { id: 'test', category: 'app', description: 'test', provides: [], uses: [], contributes: [] } as const;
  return new CapabilityRegistry(
    [test],
    tools.map((tool) => ({ plugin: test.id, tool })),
  );
}

/** Confines nothing and resolves nothing. */
export const NOWHERE: PathPolicy = {
  workspace: '/workspace',
  roots: ['/workspace'],
  confine: async (path) => `confined:${path}`,
};

/** A control plane for tests. */
export function testPlane(tools: readonly Tool[] = ECHOES, rest: Partial<ControlPlaneOptions> = {}): ControlPlane {
  return new ControlPlane({
    tools: servedTools(registryOf(tools)),
    mode: 'generator',
    scope: unscopedScope(),
    workspaceTools: true,
    paths: NOWHERE,
    log: new RecordingLogger() as Logger,
    ...rest,
  });
}

/** A caller that never cancels, hears nothing and has nobody to ask. */
export const CALLER: Caller = {
  signal: new AbortController().signal,
  progress: () => {},
  log: () => {},
  confirm: () => Promise.resolve('unasked'),
};
