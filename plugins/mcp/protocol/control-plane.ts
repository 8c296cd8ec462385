import { fwError, isFwError } from '../../../kernel/errors/index.js';
import type { Logger, ServedCategory, Tool, ToolCategory, ToolContext } from '../../../kernel/index.js';
import type { PathPolicy } from '../confinement/path-policy.js';
import { KNOWN_CATEGORIES, type Scope } from '../scope/scope.js';
import { MCP_ERRORS } from '../errors.js';
import { DOCUMENTATION } from '../resources/documentation.js';
import { servedCategories, type ServedTool } from '../tool-set/served-tool.js';
import { argumentNames, prepareArguments } from './call-arguments.js';
import { type CallResult, callResult, errorResult, withNotes } from './call-result.js';
import { CallSlots } from './call-slots.js';
import type { ControlObserver } from './events.js';
import { JsonRpcError, INVALID_PARAMS } from './json-rpc.js';
import type { ServerMode } from './mode.js';
import { interruptionsOf } from './interruptions.js';
import { refusal, Refused } from './refusal.js';
import type { ListedTool } from './tool-listing.js';
import { PROTOCOL_VERSION, serverVersion } from './version.js';

/** What makes up a control plane. */
export interface ControlPlaneOptions {
  /** Every tool that there is; sorted by name. */
  readonly tools: readonly ServedTool[];
  readonly mode: ServerMode;
  readonly scope: Scope;
  /** Whether tools that need a source tree or change something are served; never in app-runtime mode. */
  readonly workspaceTools: boolean;
  readonly paths: PathPolicy;
  readonly log: Logger;
  readonly observe?: ControlObserver;
  /** Says how to get a tool that is not served here, where somebody is known to bring it: the rest of the refusal. */
  readonly elsewhere?: (tool: string) => Promise<string | undefined>;
  /** Calls that run at once; default 16. */
  readonly maxConcurrentCalls?: number;
}

/** What the caller of one tool call brings. */
export interface Caller {
  readonly signal: AbortSignal;
  progress(done: number, total: number | undefined, message: string): void;
}

/** Answer to `initialize` (SPEC "Handshake object"). */
export interface Handshake {
  readonly protocolVersion: string;
  readonly capabilities: {
    readonly tools: { readonly listChanged: false };
    /** The documentation, for credentials that reach the tools that search it. */
    readonly resources?: Readonly<Record<string, never>>;
    readonly completions?: Readonly<Record<string, never>>;
  };
  readonly serverInfo: { readonly name: string; readonly version: string };
  readonly fwServerKind: ServerMode;
  readonly fwCapabilities: {
    readonly granted: readonly ToolCategory[];
    readonly known: readonly ToolCategory[];
    readonly scoped: boolean;
  };
}

const WAITING_CALLS = 64;

/**
 * What every transport serves: handshake, list and calls of one server. Scope, refusals, argument checks, confinement, size
 * caps and the call log are here and nowhere else.
 */
export class ControlPlane {
  readonly mode: ServerMode;
  readonly scope: Scope;
  readonly paths: PathPolicy;
  readonly slots: CallSlots;
  readonly #served: ReadonlyMap<string, ServedTool>;
  readonly #excluded: readonly string[];
  readonly #listing: readonly ListedTool[];
  /** What this server holds, by category. */
  readonly categories: readonly ServedCategory[];

  constructor(private readonly options: ControlPlaneOptions) {
    this.mode = options.mode;
    this.scope = options.scope;
    this.paths = options.paths;
    this.slots = new CallSlots(options.maxConcurrentCalls ?? 16, WAITING_CALLS);
    const served = options.tools.filter(({ inProcess }) => options.workspaceTools || inProcess);
    this.#served = new Map(served.map((tool) => [tool.listed.name, tool]));
    this.#excluded = options.tools.map(({ listed }) => listed.name).filter((name) => !this.#served.has(name));
    this.categories = servedCategories(served, (category) => this.scope.grants(category));
    this.#listing = served.filter(({ category }) => this.scope.grants(category)).map(({ listed }) => listed);
  }

  /** Categories that this credential reaches on this server: its scope, as far as there are tools. Sorted. */
  get granted(): readonly ToolCategory[] {
    return this.categories.flatMap(({ category, granted }) => (granted ? [category] : []));
  }

  /** Names of the tools that this server serves, whatever the scope; sorted. */
  get served(): readonly string[] {
    return [...this.#served.keys()];
  }

  /** Names of the tools that exist but are not served here; sorted. */
  get excluded(): readonly string[] {
    return this.#excluded;
  }

  /** Names of the tools that this credential may call; sorted. */
  get reachable(): readonly string[] {
    return this.#listing.map(({ name }) => name);
  }

  handshake(): Handshake {
    return {
      protocolVersion: PROTOCOL_VERSION,
      capabilities: { tools: { listChanged: false }, ...(this.#documented && { resources: {}, completions: {} }) },
      serverInfo: { name: 'fw', version: serverVersion() },
      fwServerKind: this.mode,
      fwCapabilities: { granted: this.granted, known: KNOWN_CATEGORIES, scoped: this.scope.scoped },
    };
  }

  // The documentation is what the tools of category knowledge search.
  get #documented(): boolean {
    return this.granted.includes('knowledge');
  }

  /** What answers a method about resources; undefined for every other, and where this credential has none. */
  answerTo(method: string): ((params?: Readonly<Record<string, unknown>>) => Promise<object>) | undefined {
    return this.#documented && Object.hasOwn(DOCUMENTATION, method) ? DOCUMENTATION[method] : undefined;
  }

  /** Result of `tools/list`: sorted by name, only granted categories, no pages. */
  list(): { readonly tools: readonly ListedTool[] } {
    return { tools: this.#listing };
  }

  /**
   * Runs a tool.
   * @throws JsonRpcError -32602 when no such tool is served here
   */
  async call(name: string, given: unknown, caller: Caller): Promise<CallResult> {
    const tool = this.#served.get(name);
    if (!tool) throw await this.#unknown(name);
    if (!this.scope.grants(tool.category)) return this.#refused(name, tool.category);
    return this.#logged(name, tool, given, caller);
  }

  /** Tells the operator what happened. */
  observe: ControlObserver = (event) => this.options.observe?.(event);

  /** A notification could not be delivered: the caller has gone, which the call notices by its signal. */
  dropped(error: unknown): void {
    this.options.log.debug({ err: error }, 'a progress notification could not be delivered');
  }

  /** The server itself failed, not a tool. */
  failed(error: unknown): void {
    this.options.log.error({ err: error }, 'the MCP server failed');
  }

  #refused(tool: string, requires: ToolCategory): CallResult {
    this.observe({ kind: 'refused', tool, requires });
    return refusal(tool, requires, this.scope);
  }

  async #unknown(name: string): Promise<JsonRpcError> {
    this.observe({ kind: 'unknown', tool: name });
    const hint = await this.options.elsewhere?.(name);
    const words = `There is no tool ${JSON.stringify(name)} on this ${this.mode} server. ${hint ?? `Tools: ${this.reachable.join(', ')}.`}`;
    return new JsonRpcError(INVALID_PARAMS, words);
  }

  async #logged(name: string, served: ServedTool, given: unknown, caller: Caller): Promise<CallResult> {
    const from = performance.now();
    let outcome: 'ok' | 'error' | 'crash' | 'cancelled' = 'crash';
    const notes: string[] = [];
    try {
      const result = await this.slots.run(async () => this.#run(await served.load(), given, caller, notes));
      outcome = result.isError ? 'error' : 'ok';
      return result;
    } catch (error) {
      if (error instanceof Refused) {
        outcome = 'error';
        return this.#refused(error.tool, error.requires);
      }
      outcome = caller.signal.aborted ? 'cancelled' : isFwError(error) && error.expose ? 'error' : 'crash';
      return withNotes(this.#failed(name, error, outcome), notes);
    } finally {
      const ms = performance.now() - from;
      this.observe({ kind: 'call', tool: name, outcome, ms, argumentNames: argumentNames(given) });
    }
  }

  async #run(tool: Tool, given: unknown, caller: Caller, notes: string[]): Promise<CallResult> {
    const input = await prepareArguments(tool, given, this.paths);
    notes.push(...(await interruptionsOf(tool, input, this.#mayRepair(tool))));
    return withNotes(callResult(tool.name, await tool.run(input, this.#context(tool, caller))), notes);
  }

  // Putting an interrupted write right writes project files, which is what category generation does.
  #mayRepair({ effects }: Tool): boolean {
    return this.options.workspaceTools && effects.includes('writes-files') && this.scope.grants('generation');
  }

  /** The one place that decides whether a credential reaches a tool on behalf of another one. */
  #permit({ name, category: named }: Tool): void {
    const category = this.options.tools.find(({ listed }) => listed.name === name)?.category ?? named;
    if (category === undefined) throw fwError(MCP_ERRORS.FW_MCP_ACTS_AS, { tool: name });
    if (!this.scope.grants(category)) throw new Refused(name, category);
  }

  #context(tool: Tool, caller: Caller): ToolContext {
    const { paths, log, workspaceTools } = this.options;
    return {
      signal: caller.signal,
      progress: caller.progress,
      log: log.child({ tool: tool.name }),
      workspace: paths.workspace,
      readOnly: !workspaceTools,
      categories: this.categories,
      confine: (path) => paths.confine(path),
      permit: (other) => this.#permit(other),
      argumentsFor: async (other, given) => {
        this.#permit(other);
        return prepareArguments(other, given, paths);
      },
    };
  }

  // What an error says may hold values of the project or of a request: only coded client errors speak to the caller.
  #failed(name: string, error: unknown, outcome: string): CallResult {
    if (isFwError(error) && (error.expose || error.status === 503)) return errorResult(error.message);
    if (outcome === 'crash') this.options.log.error({ err: error, tool: name }, `${name} failed`);
    return errorResult(
      `${name} ${outcome === 'crash' ? "failed; the reason is in the server's log" : 'was cancelled'}.`,
    );
  }
}
