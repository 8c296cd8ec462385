import type {
  InputSource,
  JsonSchema,
  ModelCatalogue,
  ModelFacts,
  RouteDoc,
  RouteGuard,
  RouteInfo,
} from '../../../kernel/index.js';
import type { ModelSchemas } from '../../../kernel/schema/index.js';
import { type Collection, type Declarations, declarations } from './declarations.js';
import {
  byPathAndMethod,
  documentedRoute,
  type DocumentedRoute,
  type InputFacts,
  routeKey,
  type RouteFacts,
} from './documented-route.js';

/** Facts about an API as a whole. */
export interface ApiFacts {
  readonly title: string;
  readonly version: string;
  readonly description: string;
  readonly termsOfService?: string;
  readonly contact?: Readonly<Record<string, string>>;
  readonly license?: Readonly<Record<string, string>>;
  /** Addresses of the service; default the server that the document comes from. */
  readonly servers?: readonly ApiServer[];
  /** Security Scheme Objects of OpenAPI 3.1 by name, beside those of the guards. */
  readonly securitySchemes?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  /** Security Requirement Objects of routes without their own. */
  readonly security?: readonly Readonly<Record<string, readonly string[]>>[];
}

/** A Server Object of OpenAPI 3.1. */
export interface ApiServer {
  readonly url: string;
  readonly description?: string;
  readonly variables?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

/** What a registry reads from. */
export interface RegistrySources {
  readonly api: ApiFacts;
  /** Routes of the running application; none for a registry of `doc` calls alone. */
  readonly routes?: () => readonly RouteInfo[];
  readonly models?: readonly ModelCatalogue[];
  readonly guards?: readonly RouteGuard[];
  /** Name of the application's package. */
  readonly package?: string;
  readonly declarations?: Declarations;
  /** Overrides the state of {@link Declarations}: whether this application documents itself. */
  readonly enabled?: boolean;
}

/**
 * The one list of routes that the OpenAPI document, the reference UI, llms.txt and the probe are made from. It is read anew
 * for every answer, and each answer is made from one reading, so that its parts cannot disagree.
 */
export class DocsRegistry {
  readonly api: ApiFacts;
  readonly guards: readonly RouteGuard[];
  readonly package: string;
  readonly #sources: RegistrySources;
  readonly #declarations: Declarations;
  readonly #made = new WeakMap<object, DocumentedRoute>();

  constructor(sources: RegistrySources) {
    this.api = sources.api;
    this.guards = sources.guards ?? [];
    this.package = sources.package ?? '';
    this.#sources = sources;
    this.#declarations = sources.declarations ?? declarations;
  }

  get collection(): Collection {
    if (this.#sources.enabled === false) return 'off';
    return this.#declarations.collection;
  }

  get dropped(): number {
    return this.#declarations.dropped;
  }

  /** Every documented route, sorted by path, then method; of two with the same method and path the last one. */
  routes(): readonly DocumentedRoute[] {
    if (this.collection !== 'on') return [];
    const list = new Map<string, DocumentedRoute>();
    for (const route of this.#all()) list.set(routeKey(route), route);
    return [...list.values()].sort(byPathAndMethod);
  }

  /** Every request that the application makes itself, as `webhook` says, sorted by name. */
  webhooks(): readonly DocumentedRoute[] {
    const hooks = this.collection === 'on' ? this.#declarations.webhooks() : [];
    const made = hooks.map(({ name, method, doc }) => documentedRoute(factsOfDoc(method, name, doc), this.#schemaOf));
    return made.sort(byPathAndMethod);
  }

  /** Every model, sorted by name. */
  models(): readonly ModelFacts[] {
    if (this.collection !== 'on') return [];
    const models = (this.#sources.models ?? []).flatMap((catalogue) => catalogue.models());
    return [...models].sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  // An application's routes win over what `doc` says about the same path without being part of a route.
  *#all(): Iterable<DocumentedRoute> {
    const live = this.#sources.routes;
    for (const declared of this.#declarations.all()) {
      if (live && declared.attached) continue;
      yield documentedRoute(factsOfDoc(declared.method, declared.path, declared.doc), this.#schemaOf);
    }
    for (const info of live?.() ?? []) if (!info.hidden) yield this.#fromLive(info);
  }

  // Cached by RouteInfo, which is frozen.
  #fromLive(info: RouteInfo): DocumentedRoute {
    const known = this.#made.get(info);
    if (known) return known;
    const made = documentedRoute(factsOfRoute(info), this.#schemaOf);
    this.#made.set(info, made);
    return made;
  }

  readonly #schemaOf: ModelSchemas = (model): JsonSchema | undefined => {
    for (const catalogue of this.#sources.models ?? []) {
      const schema = catalogue.schemaOf(model);
      if (schema) return schema;
    }
    return undefined;
  };
}

function factsOfDoc(method: string, pattern: string, { input, outputStatus, ...said }: RouteDoc): RouteFacts {
  const groups = input?.map(({ type: source, fields: shape, ...group }) => ({ ...group, source, shape }));
  return { ...said, method, pattern, status: outputStatus, input: groups };
}

/** Facts of a route of the running application: its options, completed by its `doc` wrapper. */
export function factsOfRoute({ path, doc = {}, ...info }: RouteInfo): RouteFacts {
  const wrapper = factsOfDoc(info.method, path, doc);
  return {
    ...wrapper,
    ...info,
    title: info.title || wrapper.title,
    description: info.description || wrapper.description,
    tags: [...info.tags, ...(wrapper.tags ?? [])],
    input: [...optionInputs(info), ...(wrapper.input ?? [])],
    output: info.output ?? wrapper.output,
    status: info.status === 200 && info.responses === undefined ? wrapper.status : info.status,
    outputDescription: info.outputDescription === 'OK' ? wrapper.outputDescription : info.outputDescription,
    deprecated: info.deprecated || (wrapper.deprecated ?? false),
  };
}

function optionInputs({ input }: Pick<RouteInfo, 'input'>): readonly InputFacts[] {
  return Object.entries(input).map(([source, shape]) => ({
    source: source as InputSource,
    shape,
    required: shape !== undefined && !('~optional' in (shape as object)),
  }));
}
