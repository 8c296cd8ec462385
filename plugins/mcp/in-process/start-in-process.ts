import {
  type App,
  AppInfo,
  type CapabilityRegistry,
  Capabilities,
  Clock,
  type Diagnostics,
  enableCounters,
  LocalRecords,
  Logger,
} from '../../../kernel/index.js';
import { toldOf } from '../../../kernel/contracts/callbacks.js';
import { type ToolCall, ToolCallObserver } from '../../../kernel/contracts/tool-calls.js';
import { pathPolicy } from '../confinement/workspace-roots.js';
import { newSecret } from '../../../kernel/secrets/index.js';
import { ControlServer } from '../http/control-server.js';
import { ControlPlane } from '../protocol/control-plane.js';
import type { ControlObserver } from '../protocol/events.js';
import { scopeOrAll } from '../scope/scope.js';
import { servedTools } from '../tool-set/served-tool.js';
import { gatherTools } from '../tool-set/tool-set.js';
import { checkInProcessConfig, type InProcessConfig } from './config.js';
import { type EndpointFacts, mcpProbe } from './mcp-probe.js';
import { toolCallOf } from './tool-call-of.js';

/** Parts of the application that the endpoint uses. */
interface HostApplication {
  readonly capabilities: CapabilityRegistry;
  readonly diagnostics: Diagnostics;
  readonly clock: Clock;
  readonly log: Logger;
  /** Observers of every call. */
  readonly observers: readonly ToolCallObserver[];
  /** Folder of the application. */
  readonly root: string;
  readonly profile: string;
  /** The application's own records; undefined if it records none. */
  readonly records?: () => LocalRecords | undefined;
}

/** Concurrent calls beside the application's own traffic. */
const MAX_IN_PROCESS_CALLS = 4;

type EndpointConfig = Omit<InProcessConfig, 'builtInTools'>;

/** Stops the plugins that were booted for an endpoint. */
type LetGo = () => Promise<void>;

/** An MCP endpoint inside a running application. */
export class InProcessServer {
  #state: EndpointFacts['state'] = 'starting';

  constructor(
    private readonly server: ControlServer,
    private readonly plane: ControlPlane,
    private readonly letGo: LetGo,
    /** The bearer token in use; generated when the configuration gave none. */
    readonly token: string,
  ) {}

  /** Address of the MCP endpoint. */
  get url(): string {
    return `${this.server.url}/mcp`;
  }

  /** Port that is bound. */
  get port(): number {
    return this.server.port;
  }

  get state(): EndpointFacts['state'] {
    return this.#state;
  }

  /** Begins to answer. */
  serve(): void {
    this.server.serve();
    this.#state = 'serving';
  }

  /** Names of the tools that are served, whatever the scope; sorted. */
  tools(): readonly string[] {
    return this.plane.served;
  }

  /** Names of the tools that are left out here; sorted. */
  excludedTools(): readonly string[] {
    return this.plane.excluded;
  }

  /** Ends every session, cancels running calls and frees the port. A second call does nothing. */
  async close(): Promise<void> {
    if (this.#state === 'closed') return;
    this.#state = 'closed';
    await this.server.close();
    await this.letGo();
  }
}

/**
 * Opens an MCP endpoint beside the traffic of a running application. The address is taken, but nothing is answered before
 * `serve()`.
 *
 * @throws FwError `FW_MCP_MODE`, `FW_MCP_IN_PROCESS`, `FW_MCP_PORT_IN_USE` (SPEC "Errors": a port conflict is fatal)
 * @example
 * const server = await startInProcess(app, { mode: ModeAppRuntime, port: 2100, scope: newScope(CapRuntime, CapFleet) });
 * server.serve();
 */
export async function startInProcess(app: App, config: InProcessConfig): Promise<InProcessServer> {
  checkInProcessConfig(config);
  const letGo = (config.builtInTools ?? true) ? await bringBuiltInTools(app) : NOTHING;
  const { services, diagnostics, profile } = app;
  return openEndpoint(
    {
      capabilities: services.get(Capabilities),
      diagnostics,
      clock: services.get(Clock),
      log: services.get(Logger),
      observers: services.all(ToolCallObserver),
      root: services.get(AppInfo).root,
      profile,
      records: () => services.getOptional(LocalRecords),
    },
    config,
    letGo,
  );
}

const NOTHING: LetGo = () => Promise.resolve();

// While they are served, the tools are part of the application's capabilities.
async function bringBuiltInTools(app: App): Promise<LetGo> {
  const { services } = app;
  const { registry, stop } = await gatherTools({ root: services.get(AppInfo).root, log: services.get(Logger) });
  try {
    const disown = app.adopt(registry);
    return () => {
      disown();
      return stop();
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/**
 * {@link startInProcess} for a plugin, which has the parts of the application but not the whole. It serves the tools of the application's
 * capabilities.
 *
 * @param letGo - called when the endpoint closes, or cannot be opened
 */
export async function openEndpoint(
  host: HostApplication,
  config: EndpointConfig,
  letGo: LetGo = NOTHING,
): Promise<InProcessServer> {
  try {
    return await open(host, config, letGo);
  } catch (error) {
    await letGo();
    throw error;
  }
}

async function open(host: HostApplication, config: EndpointConfig, letGo: LetGo): Promise<InProcessServer> {
  checkInProcessConfig(config);
  const token = config.token?.trim() || newSecret();
  const paths = await pathPolicy([config.workspace ?? host.root], host.root);
  enableCounters(host.clock.now());
  const plane = new ControlPlane({
    tools: servedTools(host.capabilities),
    mode: config.mode,
    scope: scopeOrAll(config.scope),
    workspaceTools: config.allowWorkspaceTools ?? false,
    paths,
    log: host.log,
    observe: tellOf(host.observers),
    application: host.records,
    maxConcurrentCalls: MAX_IN_PROCESS_CALLS,
  });
  return bound(host, config, plane, letGo, token);
}

async function bound(
  host: HostApplication,
  config: EndpointConfig,
  plane: ControlPlane,
  letGo: LetGo,
  token: string,
): Promise<InProcessServer> {
  const address = config.host ?? '127.0.0.1';
  const server = new ControlServer({
    plane,
    host: address,
    port: config.port,
    token,
    allowedOrigins: config.allowedOrigins ?? [],
    log: host.log,
    clock: host.clock,
  });
  await server.bind();
  const endpoint = new InProcessServer(server, plane, letGo, token);
  host.diagnostics.register('mcp', () =>
    mcpProbe({
      state: endpoint.state,
      plane,
      server,
      host: address,
      root: host.root,
      profile: host.profile,
      workspaceTools: config.allowWorkspaceTools ?? false,
    }),
  );
  return endpoint;
}

function tellOf(observers: readonly ToolCallObserver[]): ControlObserver {
  const told = observers.map((each) => toldOf('a ToolCallObserver', (call: ToolCall) => each.observe(call)));
  return (event) => {
    const call = toolCallOf(event);
    if (call) for (const tell of told) tell(call);
  };
}
