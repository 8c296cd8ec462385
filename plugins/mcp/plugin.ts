import type { Static } from 'typebox';
import {
  Address,
  AppInfo,
  Capabilities,
  Clock,
  definePlugin,
  DiagnosticsRegistry,
  LocalRecords,
  Logger,
  type ResolvedOptions,
  type Resolver,
} from '../../kernel/index.js';
import { ToolCallObserver } from '../../kernel/contracts/tool-calls.js';
import { McpEndpoint } from './in-process/mcp-endpoint.js';
import { openEndpoint } from './in-process/start-in-process.js';
import { McpOptions } from './options.js';
import { newScope } from './scope/scope.js';
import { builtInTools } from './tool-set/built-in-tools.js';

/** Serves the MCP endpoint of a running application; a port that is taken ends the boot (SPEC "Errors"). */
export default definePlugin({
  id: 'mcp',
  category: 'mcp',
  description: 'MCP endpoint of the running application, on a control address of its own.',
  options: McpOptions,
  provides: [McpEndpoint],
  oneWorker: () => [],
  brings: (options) => (options.builtInTools ? builtInTools() : []),
  register: ({ bind, contribute }) => {
    bind(McpEndpoint, () => ({ server: undefined }));
    contribute(Address, (resolve) => ({
      label: 'MCP (agents)',
      url: () => resolve.get(McpEndpoint).server?.url,
    }));
  },
  start: async (context) => {
    const { options } = context;
    const token = options.token?.trim() || process.env['FW_MCP_TOKEN']?.trim() || '';
    const server = await openEndpoint(hostOf(context, context.profile), configOf(options, token));
    context.get(McpEndpoint).server = server;
    // A generated token is shown once, and not through the log, which may be stored.
    if (token === '')
      process.stderr.write(`mcp: token, shown this once: ${server.token} (set FW_MCP_TOKEN to keep one)\n`);
  },
  ready: (context) => context.get(McpEndpoint).server?.serve(),
  drain: (context) => context.get(McpEndpoint).server?.close(),
  stop: (context) => context.get(McpEndpoint).server?.close(),
});

function hostOf(resolve: Resolver, profile: string) {
  return {
    capabilities: resolve.get(Capabilities),
    diagnostics: resolve.get(DiagnosticsRegistry),
    clock: resolve.get(Clock),
    log: resolve.get(Logger),
    observers: resolve.all(ToolCallObserver),
    root: resolve.get(AppInfo).root,
    records: () => resolve.getOptional(LocalRecords),
    profile,
  };
}

function configOf({ scope, builtInTools: _brought, ...options }: ResolvedOptions<typeof McpOptions>, token: string) {
  return {
    ...options,
    token,
    ...(scope && { scope: newScope(...(scope as Static<typeof McpOptions>['scope'] & [])) }),
  };
}
