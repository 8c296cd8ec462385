import { isLoopbackHost } from '../../../kernel/net/index.js';
import { MODE_PURPOSES, type ServerMode } from '../protocol/mode.js';
import type { Scope } from '../scope/scope.js';

/** Facts about a server for start-up messages. */
export interface ServerFacts {
  /** How the program is called, e.g. `fw-mcp`. */
  readonly command: string;
  readonly mode: ServerMode;
  readonly scope: Scope;
  /** Names of the tools that this credential may call. */
  readonly tools: readonly string[];
  /** Permitted roots, undefined when paths are not confined. */
  readonly roots: readonly string[] | undefined;
  /** Arguments with which a client starts the same server over stdio. */
  readonly clientArguments: readonly string[];
}

/** What the banner of a network server tells besides. */
export interface NetworkFacts extends ServerFacts {
  /** `http://host:port`. */
  readonly url: string;
  readonly host: string;
  /** The token generated for this run; undefined when the operator supplied one, which is never shown. */
  readonly generatedToken: string | undefined;
}

/** Lines for standard error when a network server is up. A supplied token never appears, a generated one once. */
export function bannerLines(facts: NetworkFacts): readonly string[] {
  const { url, mode, scope, roots, generatedToken } = facts;
  return [
    ...(generatedToken === undefined
      ? []
      : [`token, shown this once: ${generatedToken}`, 'set FW_MCP_TOKEN to keep the same token across restarts']),
    `control endpoint ${url}/mcp (MCP Streamable HTTP; older clients: ${url}/sse); every request needs the bearer token`,
    `mode ${mode}: ${MODE_PURPOSES[mode]}`,
    `token scope: ${scopeWords(scope)}`,
    `capability report: ${url}/mcp/features`,
    workspaceWords(roots),
    ...exposureWords(facts),
  ].map((line) => `${facts.command}: ${line}`);
}

/** `fleet, runtime`, or text that all categories are granted. */
export function scopeWords(scope: Scope): string {
  return scope.scoped ? scope.granted.join(', ') : 'all capabilities (unscoped)';
}

/** Where paths may lead, or the warning that they may lead anywhere. */
export function workspaceWords(roots: readonly string[] | undefined): string {
  if (roots) return `workspace: paths are confined to ${roots.join(', ')}`;
  return 'WARNING: paths are not confined: tools may read, write and run tests anywhere on this machine';
}

function exposureWords({ host, mode, scope }: NetworkFacts): readonly string[] {
  if (isLoopbackHost(host)) return [];
  const warning = `WARNING: listening on ${host}, beyond this machine: the token is the only guard`;
  if (mode !== 'generator' || scope.scoped) return [warning];
  return [
    warning,
    'WARNING: this token is unscoped and can rewrite the project; grant less with --scope <category,...>',
  ];
}
