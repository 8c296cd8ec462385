import { token } from '../container/token.js';
import type { RouteResponses } from './answers.js';
import type { HttpMethod, RouteAccess } from './http.js';

/** A JSON Schema (2020-12) as plain data. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** Where a route reads an input from. */
export type InputSource = 'body' | 'query' | 'params' | 'header';

/** One source of input of a route (SPEC "API reference configuration", InputGroup). */
export interface InputGroup {
  readonly type: InputSource;
  /** Shape of the input: a TypeBox or JSON schema, a model class (or an array of one), or an example value. */
  readonly fields: unknown;
  /** For the body only: whether a request without one is refused. Default false. */
  readonly required?: boolean;
  readonly description?: string;
}

/** What a route says about itself in the API reference (SPEC "API reference configuration", RouteDoc). */
export interface RouteDoc {
  /** Summary line. */
  readonly title?: string;
  /** Groups in the sidebar. */
  readonly tags?: readonly string[];
  readonly description?: string;
  /** One group per source. */
  readonly input?: readonly InputGroup[];
  /** Shape of a successful response: a TypeBox or JSON schema, a model class (or an array of one), or an example value. */
  readonly output?: unknown;
  /** Status of a successful response; default 200. */
  readonly outputStatus?: number;
  /** Default `OK`. */
  readonly outputDescription?: string;
  /** What else it answers, by status. */
  readonly responses?: RouteResponses;
  /** Example request bodies by name. */
  readonly bodyExamples?: Readonly<Record<string, unknown>>;
  /** Name of the operation in the OpenAPI document; default made of method and path. */
  readonly operationId?: string;
  /** Security Requirement Objects (OpenAPI 3.1), in place of those that guards contribute. */
  readonly security?: readonly Readonly<Record<string, readonly string[]>>[];
  readonly deprecated?: boolean;
}

/** Property under which the pass-through middleware of `doc` carries its {@link RouteDocMark}. */
export const ROUTE_DOC = Symbol.for('fw.route-doc');

/** Ties a `doc` wrapper to the route that it is registered with. */
export interface RouteDocMark {
  readonly doc: RouteDoc;
  /** Called by the router: method and path of the route hold, not those that were given to `doc`. */
  attach(method: HttpMethod, path: string): void;
}

/** A model as the API reference lists it. */
export interface ModelFacts {
  readonly name: string;
  readonly table: string;
  /** Names of the databases that the table is in, where it is not just in the one without a name. */
  readonly databases?: readonly string[];
  readonly fields: readonly ModelFieldFacts[];
  /** JSON Schema of the model on the wire, when it is known. */
  readonly schema?: JsonSchema;
}

/** A field of a {@link ModelFacts}. */
export interface ModelFieldFacts {
  readonly name: string;
  readonly type: string;
  readonly column?: string;
  readonly primaryKey?: boolean;
  /** Name of the model that the field refers to. */
  readonly references?: string;
}

/** Knows model classes. Plugins that bring models contribute one. */
export interface ModelCatalogue {
  /** Every model of the application. */
  models(): readonly ModelFacts[];
  /** JSON Schema of a model class on the wire; undefined for a class that is no model of this catalogue. */
  schemaOf(model: object): JsonSchema | undefined;
  /**
   * JSON Schema of a row as a response may contain it: the members of {@link schemaOf}, and relations with their own such schemas.
   * Undefined for a class that is no model of this catalogue; a catalogue without this function has models without relations.
   */
  answerOf?(model: object): JsonSchema | undefined;
}

export const ModelCatalogue = token<ModelCatalogue>('fw.ModelCatalogue');

/** Something that refuses requests without credentials. Shown as a security scheme in the API reference. */
export interface RouteGuard {
  /** Name of the scheme, e.g. `bearer`. */
  readonly name: string;
  /** Security Scheme Object of OpenAPI 3.1. */
  readonly scheme: Readonly<Record<string, unknown>>;
  /**
   * Whether requests to a route need the credentials; `partly` when some of the paths that it answers do, and others do not. The
   * path is the pattern as registered.
   * @param access - what the route says about its callers
   */
  guards(method: HttpMethod, path: string, access?: RouteAccess): boolean | 'partly';
}

export const RouteGuard = token<RouteGuard>('fw.RouteGuard');

/** What the page of the API reference is made from. URLs are relative to the page or absolute paths. */
export interface DocsPageFacts {
  readonly title: string;
  readonly version: string;
  readonly description: string;
  /** Where the OpenAPI document is. */
  readonly documentUrl: string;
  /** Where {@link DocsPage.file} is served, with a slash at the end. */
  readonly filesUrl: string;
}

/** A file that a page refers to. */
export interface DocsPageFile {
  /** Media type. */
  readonly type: string;
  readonly body: Buffer;
}

/**
 * The page of the API reference. A plugin that provides this token replaces the built-in one. It must work under
 * `Content-Security-Policy: default-src 'self'`: no inline script or style, nothing from another origin.
 */
export interface DocsPage {
  /** Shown in the probe. */
  readonly name: string;
  /** HTML of the page; called per request. */
  render(facts: DocsPageFacts): string;
  /** A file below `filesUrl`; undefined when there is none of that name. */
  file(name: string): Promise<DocsPageFile | undefined>;
}

export const DocsPage = token<DocsPage>('fw.DocsPage');

/** The application's API reference, for other plugins that show it. */
export interface ApiReference {
  /** The OpenAPI document as plain data, made anew by each call. */
  document(): unknown;
  /** Path of the reference's page; null when it has none. */
  readonly page: string | null;
}

export const ApiReference = token<ApiReference>('fw.ApiReference');
