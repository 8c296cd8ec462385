import { existsSync } from 'node:fs';
import path from 'node:path';
import { degraded, off, ok, type ProbeReport } from '../../../kernel/index.js';
import { isLoopbackHost } from '../../../kernel/net/index.js';
import type { ControlServer } from '../http/control-server.js';
import type { ControlPlane } from '../protocol/control-plane.js';
import { serverVersion } from '../protocol/version.js';

/** What the probe looks at. */
export interface EndpointFacts {
  readonly state: 'starting' | 'serving' | 'closed';
  readonly plane: ControlPlane;
  readonly server: ControlServer;
  /** Address that was configured. */
  readonly host: string;
  /** Folder of the application. */
  readonly root: string;
  readonly profile: string;
  readonly workspaceTools: boolean;
}

/** Report of subsystem `mcp` (SPEC "HTTP endpoints", rule 3). */
export function mcpProbe(facts: EndpointFacts): ProbeReport {
  const { state, plane, server } = facts;
  if (state === 'closed') return off('No MCP endpoint runs; startInProcess opens one.');
  if (server.failure !== undefined) return degraded(`The control address failed: ${server.failure}`);
  const problems = problemsOf(facts);
  const summary = `${server.url}/mcp, mode ${plane.mode}, ${plane.reachable.length} of ${plane.served.length} tool(s) reachable`;
  const extra = { detail: detailOf(facts), notes: [...problems, ...remarksOf(facts)] };
  return problems.length > 0 ? degraded(summary, extra) : ok(summary, extra);
}

function detailOf({ plane, server, workspaceTools }: EndpointFacts): Record<string, unknown> {
  const withheld = withheldBy(plane);
  return {
    endpoint: '/mcp',
    mode: plane.mode,
    version: serverVersion(),
    address: new URL(server.url).host,
    tools: plane.served.length,
    reachable_tools: plane.reachable.length,
    scoped: plane.scope.scoped,
    granted_capabilities: plane.granted,
    ...(withheld.length > 0 && { withheld_by_scope: withheld }),
    workspace_tools: workspaceTools,
    sessions: server.sessions.size,
    sessions_evicted: server.sessions.evicted,
    sessions_expired: server.sessions.expired,
    stalled_clients: server.stalledClients,
    calls_running: plane.slots.running,
    calls_refused_busy: plane.slots.refused,
  };
}

// Problems that make the endpoint less useful or more dangerous than its operator is likely to want.
function problemsOf({ plane, root, profile, workspaceTools }: EndpointFacts): readonly string[] {
  const production = profile === 'prod' || process.env['NODE_ENV'] === 'production';
  return [
    ...(plane.reachable.length === 0 ? ['No tool can be reached with this token.'] : []),
    ...(plane.mode === 'generator' && !hasSources(root)
      ? [`Generator mode, but there is no source tree in ${root}: expected app.config.ts there.`]
      : []),
    ...(workspaceTools && production
      ? ['Workspace tools are enabled in production: whoever holds the token can rewrite the code that serves.']
      : []),
  ];
}

function remarksOf({ plane, host, workspaceTools }: EndpointFacts): readonly string[] {
  const withheld = withheldBy(plane);
  return [
    ...(workspaceTools
      ? [
          'Workspace tools are on: this process can rewrite its own sources while it serves. They are meant for development containers that serve no real traffic.',
        ]
      : []),
    ...(plane.excluded.length > 0
      ? [
          `${plane.excluded.length} tool(s) that generate, plan, verify and provision are left out: they work on process-wide state (directory, standard output), and a deployed program has no source tree.`,
        ]
      : []),
    ...(withheld.length > 0
      ? [`${withheld.length} tool(s) are withheld by the scope; a call is refused and names the category it needs.`]
      : []),
    ...(plane.scope.scoped ? [] : ['The token is unscoped: it reaches every tool that is served.']),
    ...(isLoopbackHost(host) ? [] : [`The control address listens on ${host}, beyond this machine.`]),
  ];
}

function withheldBy(plane: ControlPlane): readonly string[] {
  const reachable = new Set(plane.reachable);
  return plane.served.filter((name) => !reachable.has(name));
}

function hasSources(root: string): boolean {
  return existsSync(path.join(root, 'app.config.ts'));
}
