import { fwError, isFwError } from '../../../kernel/errors/index.js';
import { fwCommand } from '../../../kernel/invocation/index.js';
import type { LocalRecords, Logger, ServedCategory, Tool, ToolCategory, ToolContext } from '../../../kernel/index.js';
import { cutText, maskSecrets } from '../../../kernel/log/index.js';
import type { PathPolicy } from '../confinement/path-policy.js';
import { KNOWN_CATEGORIES, type Scope } from '../scope/scope.js';
import { MCP_ERRORS } from '../errors.js';
import type { Prompt } from '../prompts/prompt.js';
import { heardBy } from '../session/client-log.js';
import { servedCategories, type ServedTool } from '../tool-set/served-tool.js';
import { argumentNames, prepareArguments } from './call-arguments.js';
import { type CallResult, callResult, errorResult, withNotes } from './call-result.js';
import { CallSlots } from './call-slots.js';
import type { Caller } from './caller.js';
import type { ControlObserver } from './events.js';
import { JsonRpcError, INVALID_PARAMS } from './json-rpc.js';
import type { ServerMode } from './mode.js';
import { interruptionsOf } from './interruptions.js';
import { refusal, Refused } from './refusal.js';
import { instructionsFor } from './instructions.js';
import { asData, onOneLine } from './strangers-words.js';
import { type ListedTool, withoutEffects } from './tool-listing.js';
import { PROTOCOL_VERSION, serverVersion } from './version.js';

/** Parts of a control plane. */
export interface ControlPlaneOptions {
  /** All existing tools; sorted by name. */
  readonly tools: readonly ServedTool[];
  readonly mode: ServerMode;
  readonly scope: Scope;
  /** Whether tools that need a source tree or change something are served; never in app-runtime mode. */
  readonly workspaceTools: boolean;
  readonly paths: PathPolicy;
  readonly log: Logger;
  readonly observe?: ControlObserver;
  /** How to get a tool that is not served here, if a package is known to have it: the end of the refusal. */
  readonly elsewhere?: (tool: string) => Promise<string | undefined>;
  /** The application around this server, when it runs inside one. */
  readonly application?: (() => LocalRecords | undefined) | undefined;
  /** Calls that run at once; default 16. */
  readonly maxConcurrentCalls?: number;
}

/** Answer to `initialize` (SPEC "Handshake object"). */
export interface Handshake {
  readonly protocolVersion: string;
  readonly capabilities: {
    readonly tools: { readonly listChanged: false };
    readonly logging: Readonly<Record<string, never>>;
    readonly prompts: Readonly<Record<string, never>>;
    readonly completions: Readonly<Record<string, never>>;
    /** The documentation resources, for credentials that reach the tools that search them. */
    readonly resources?: Readonly<Record<string, never>>;
  };
  readonly serverInfo: { readonly name: string; readonly version: string };
  readonly instructions: string;
  readonly fwServerKind: ServerMode;
  readonly fwCapabilities: {
    readonly granted: readonly ToolCategory[];
    readonly known: readonly ToolCategory[];
    readonly scoped: boolean;
  };
}

const WAITING_CALLS = 64;

/**
 * What every transport serves: handshake, list and calls of one server. Scope, refusals, argument checks, confinement, size caps and the
 * call log are implemented only here.
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
    const granted = served.filter(({ category }) => this.scope.grants(category)).map(({ listed }) => listed);
    this.#listing = options.workspaceTools ? granted : granted.map(withoutEffects);
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
      capabilities: {
        tools: { listChanged: false },
        logging: {},
        prompts: {},
        completions: {},
        ...(this.documented && { resources: {} }),
      },
      serverInfo: { name: 'fw', version: serverVersion() },
      instructions: instructionsFor(this.mode, this.reachable),
      fwServerKind: this.mode,
      fwCapabilities: { granted: this.granted, known: KNOWN_CATEGORIES, scoped: this.scope.scoped },
    };
  }

  /** Whether this credential reads the documentation, which is what the tools of category knowledge search. */
  get documented(): boolean {
    return this.granted.includes('knowledge');
  }

  /** The prompts whose tools are all within reach of this credential, sorted by name. */
  async prompts(): Promise<readonly Prompt[]> {
    const { USUAL_TASKS } = await import('../prompts/usual-tasks.js');
    return USUAL_TASKS.filter(({ tools }) => tools.every((tool) => this.reachable.includes(tool)));
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
    this.options.log.debug({ err: error }, 'a message beside an answer could not be delivered');
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
      const result = await this.slots.run(async () => {
        const tool = await served.load();
        return asData(await this.#run(tool, given, caller, notes), served.category, tool);
      }, caller.signal);
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
      caller.log('info', name, `${outcome} after ${Math.round(ms)} ms`);
      this.observe({ kind: 'call', tool: name, outcome, ms, argumentNames: argumentNames(given) });
    }
  }

  async #run(tool: Tool, given: unknown, caller: Caller, notes: string[]): Promise<CallResult> {
    const input = await prepareArguments(tool, given, this.paths);
    notes.push(...(await interruptionsOf(tool, input, this.#mayRepair(tool))));
    const { summary, ...result } = await tool.run(input, this.#context(tool, caller));
    return withNotes(callResult(tool.name, { ...result, summary: onOneLine(summary) }), notes);
  }

  // Repairing an interrupted write changes project files, which needs the category `generation`.
  #mayRepair({ effects }: Tool): boolean {
    return this.options.workspaceTools && effects.includes('writes-files') && this.scope.grants('generation');
  }

  /** The only place that decides whether a credential reaches a tool that another tool uses. */
  #permit({ name, category: named }: Tool): void {
    const category = this.options.tools.find(({ listed }) => listed.name === name)?.category ?? named;
    if (category === undefined) throw fwError(MCP_ERRORS.FW_MCP_ACTS_AS, { tool: name });
    if (!this.scope.grants(category)) throw new Refused(name, category);
  }

  #context(tool: Tool, caller: Caller): ToolContext {
    const { paths, log, workspaceTools, application } = this.options;
    return {
      signal: caller.signal,
      progress: (...step) => caller.progress(...step),
      confirm: (question) => caller.confirm(question),
      log: heardBy((level, message) => caller.log(level, tool.name, message), log.child({ tool: tool.name })),
      workspace: paths.workspace,
      application: application?.(),
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

  // An error message may contain values of the project or of a request: a caller that does not have the project gets only the messages of
  // coded client errors.
  #failed(name: string, error: unknown, outcome: string): CallResult {
    const more =
      this.options.workspaceTools && isFwError(error) && error.guide !== undefined ? guideOf(error.guide) : '';
    if (isFwError(error) && (error.expose || error.status === 503)) return errorResult(`${error.message}${more}`);
    if (outcome !== 'crash') return errorResult(`${name} was cancelled.`);
    this.options.log.error({ err: error, tool: name }, `${name} failed`);
    if (!this.options.workspaceTools) return errorResult(`${name} failed; the reason is in the server's log.`);
    return errorResult(`${name} failed: ${reasonOf(error)} The whole stack is in the server's log.${more}`);
  }
}

// An agent may have the tools only, or a shell as well.
const guideOf = (guide: string) =>
  `\nMore about it: fw_search_llms_txt with query "${guide}", or ${fwCommand(`docs ${guide}`)}.`;

const REASON_CHARACTERS = 600;
const REASON_LINES = 4;

function reasonOf(error: unknown): string {
  const words = error instanceof Error ? (error.stack ?? `${error.name}: ${error.message}`) : String(error);
  const code = isFwError(error) ? `${error.code}: ` : '';
  return `${code}${cutText(maskSecrets(words.split('\n').slice(0, REASON_LINES).join('\n')), REASON_CHARACTERS)}`;
}
