/** A JSON Schema as it stands in a JSON file. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** Something about a route that is only known at run time. */
export interface UnresolvedNote {
  /** Which part: `path`, `handler`, `input.body`, `output`, ...; `registration` when it is not known whether or how often. */
  readonly what: string;
  /** Relative to the project, with forward slashes. */
  readonly file: string;
  readonly line: number;
  readonly reason: string;
}

/** One route of the registry `generated/routes.json`, read from the sources. */
export interface RouteEntry {
  /** HTTP method; the source text where it is not a constant. */
  readonly method: string;
  /** Pattern with the prefixes of its groups; the source text of what is not a constant. */
  readonly path: string;
  /** Name of the handler function, `(anonymous)` when it has none. */
  readonly handler: string;
  /** Name of the route module: the one given to `routes`, else that of the function or, without one, of the file. */
  readonly block: string;
  /** Relative to the project, with forward slashes. */
  readonly file: string;
  readonly line: number;
  /** Whether the handler keeps the event loop busy. */
  readonly blocking: boolean;
  /** How many middlewares belong to this route and its groups. */
  readonly middleware: number;
  readonly title: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly hidden: boolean;
  readonly deprecated: boolean;
  /** Status of a successful response. */
  readonly status: number;
  readonly outputDescription: string;
  /** JSON Schemas by source: body, query, params, header. */
  readonly input: Readonly<Record<string, JsonSchema>>;
  /** Whether a request without a body is refused; false when the route reads none. */
  readonly bodyRequired: boolean;
  /** JSON Schema of a successful response. */
  readonly output?: JsonSchema;
  /** A successful response by example, when the route gives a value instead of a schema. */
  readonly outputExample?: unknown;
  /** Name of the model class behind the output. */
  readonly outputModel?: string;
  /** What it answers beside its success, by status. */
  readonly responses?: Readonly<Record<string, ResponseEntry>>;
  /** Example request bodies by name. */
  readonly bodyExamples?: Readonly<Record<string, unknown>>;
  /** Name of the operation, when the route says one. */
  readonly operationId?: string;
  /** Security Requirement Objects of the route itself. */
  readonly security?: readonly Readonly<Record<string, readonly string[]>>[];
  /** Set when the route evaluates preconditions by a `validator`; `required` when a write must have one. */
  readonly conditional?: 'optional' | 'required';
  /** Inputs that `doc` of fw/docs adds for the reader; they are not validated. */
  readonly documentedInput?: readonly DocumentedInput[];
  /** True for a route that accepts WebSocket connections. */
  readonly websocket?: true;
  /** Roles of which a caller needs one, those of its groups included; empty: valid credentials; absent: nothing is asked. */
  readonly roles?: readonly string[];
  /** True when the route, or the nearest group that says who may call, says that anybody may. */
  readonly public?: true;
  /** True when the route takes an encoded slash as data. */
  readonly encodedSlashes?: true;
  readonly unresolved: readonly UnresolvedNote[];
}

/** What a route answers with one status. */
interface ResponseEntry {
  readonly description?: string;
  readonly output?: ShapeEntry;
  /** Shapes by media type. */
  readonly content?: Readonly<Record<string, ShapeEntry>>;
  /** JSON Schema of an object of headers. */
  readonly headers?: JsonSchema;
  readonly examples?: Readonly<Record<string, unknown>>;
}

/** A shape: a JSON Schema, or an example. */
export interface ShapeEntry {
  readonly schema?: JsonSchema;
  readonly example?: unknown;
}

/** One source of input as `doc` describes it: a JSON Schema, or an example. */
interface DocumentedInput {
  readonly source: string;
  readonly schema?: JsonSchema;
  readonly example?: unknown;
  readonly required: boolean;
  readonly description?: string;
}

/** Note that says a route may be registered any number of times, or never. */
export const REGISTRATION = 'registration';
