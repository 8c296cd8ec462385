import type { Static, TObject, TSchema } from 'typebox';
import { token } from '../container/token.js';
import type { ToolCategory } from './category.js';
import type { LocalRecords } from './local-records.js';
import type { Logger } from './logger.js';
import { checkStringInputs } from './tool-inputs.js';

/** What a tool changes outside its own process; a tool without effects is read-only. */
export type ToolEffect = 'writes-files' | 'runs-project-code' | 'containers' | 'sends-requests';

/** Where a tool can run: `workspace` tools need a source tree, `inProcess` tools also run inside a deployed process. */
export type ToolReach = 'workspace' | 'inProcess';

/** What the called server has of one tool category. */
export interface ServedCategory {
  readonly category: ToolCategory;
  /** Whether the caller's token reaches it. */
  readonly granted: boolean;
  /** Ids of the plugins that its tools come from. */
  readonly plugins: readonly string[];
  /** Names of its tools, sorted. */
  readonly tools: readonly string[];
}

/** Answer to {@link ToolContext.confirm}: `unasked` when the client has nobody to ask, or cannot. */
export type Confirmation = 'yes' | 'no' | 'unasked';

/** What a call brings along. */
export interface ToolContext {
  /** Aborted when the caller cancels or goes away; a tool that starts children ends them. */
  readonly signal: AbortSignal;
  readonly log: Logger;
  /** The application that the tool runs inside of, where it runs inside one that records itself. */
  readonly application?: LocalRecords | undefined;
  /** Folder that a path argument means when it is left out: absolute, resolved, inside the permitted roots. */
  readonly workspace: string;
  /** True where nothing may be changed: on an app-runtime server, and in-process without workspace tools. */
  readonly readOnly: boolean;
  /** What the called server has, by category, built-in and third-party plugins alike. Sorted. */
  readonly categories: readonly ServedCategory[];
  /**
   * Checks a path that the tool composed itself, or one that it is about to write, against the permitted roots.
   * @returns the path to use for I/O, with links resolved
   * @throws FwError when it leads outside
   */
  confine(path: string): Promise<string>;
  /**
   * Checks that the caller may use another tool. A tool that acts as another one calls this first; the error that it throws reaches the
   * caller as the refusal of that tool (SPEC "Refused-call result").
   */
  permit(tool: Tool): void;
  /**
   * The arguments of another tool, permitted and checked exactly as in a direct call.
   * @throws as {@link permit}; FwError for arguments that the tool itself would refuse
   */
  argumentsFor(tool: Tool, given: unknown): Promise<Readonly<Record<string, unknown>>>;
  /**
   * Asks the person behind the client before something is lost. A courtesy and no protection: for a client that cannot ask, the answer is
   * `unasked`, and the tool goes on (MCP 2025-06-18 "Elicitation").
   *
   * @param question - one or two sentences: what is about to happen, and what cannot be undone
   */
  confirm(question: string): Promise<Confirmation>;
  /** Tells the caller how far a long call is; dropped when the caller did not ask. */
  progress(done: number, total: number | undefined, message: string): void;
}

/** A value as a tool may return it: read-only at any depth, and an optional member may also be undefined, which means the same. */
export type ToolData<Value> = Value extends readonly (infer Item)[]
  ? readonly ToolData<Item>[]
  : Value extends object
    ? {
        readonly [Name in keyof Value]:
          ToolData<Value[Name]> | (Record<never, never> extends Pick<Value, Name> ? undefined : never);
      }
    : Value;

/** Answer of a tool. A correct negative answer (tests fail, findings exist) is not an error. */
export interface ToolResult<Output> {
  /** One line for a model: what happened, what to call next. */
  readonly summary: string;
  /** The same as data; fits the tool's output schema. */
  readonly structured: Output;
  /** Text for a reader, where a table or a list says more than the summary followed by the data as JSON. */
  readonly text?: string;
  /** The call could not do what it was asked for, and the data say why. */
  readonly isError?: boolean;
}

/**
 * One tool of the control plane. Scope, confinement, refusal, argument validation, size caps and logging are done by the
 * control plane, so that a tool contains none of it (SPEC "Tool categories").
 */
export interface Tool<Input extends TObject = TObject, Output extends TSchema = TSchema> {
  readonly name: string;
  /**
   * What a token must be granted. Left out in a plugin of one of the eight tool categories, whose category it is; the tools of
   * every other plugin name theirs.
   */
  readonly category?: ToolCategory;
  readonly description: string;
  readonly input: Input;
  readonly output: Output;
  /**
   * Inputs that are paths: they go through confinement before the tool sees them, and arrive absolute, with links resolved.
   * One that the caller left out arrives as {@link ToolContext.workspace}.
   */
  readonly paths?: readonly (keyof Input['properties'] & string)[];
  /** Every other input that can hold a string. Named one by one, so that no path slips past confinement. */
  readonly texts?: readonly (keyof Input['properties'] & string)[];
  readonly reach: ToolReach;
  /** Empty for a read-only tool. A server that may not change anything serves only such tools, and those that heed it. */
  readonly effects: readonly ToolEffect[];
  /** Whether the tool refrains from all its effects while {@link ToolContext.readOnly} is set. */
  readonly heedsReadOnly?: boolean;
  /** Whether its effects can replace or remove what is there, and not only add; true unless the tool says otherwise. */
  readonly destructive?: boolean;
  /** Whether a second call with the same arguments changes nothing more; false unless the tool says otherwise. */
  readonly idempotent?: boolean;
  /**
   * Whether answers quote what neither the tool nor the caller wrote, and are marked as data. Tools of runtime and fleet, and those that run
   * code of a project, always do.
   */
  readonly quotes?: boolean;
  // Without NoInfer the compiler looks for the schemas in what `run` takes and gives, which takes it a million instantiations.
  run(input: NoInfer<Static<Input>>, context: ToolContext): Promise<ToolResult<ToolData<NoInfer<Static<Output>>>>>;
}

/** Plugins contribute tools to this token. */
export const ToolContribution = token<Tool>('fw.Tool');

/**
 * Declares a tool, with its types inferred from its schemas.
 *
 * @throws FwError `FW_TOOL_INPUT` when an input that can hold a string is neither among `paths` nor among `texts`
 */
export function defineTool<Input extends TObject, Output extends TSchema>(tool: Tool<Input, Output>): Tool {
  checkStringInputs(tool);
  return tool as unknown as Tool;
}
