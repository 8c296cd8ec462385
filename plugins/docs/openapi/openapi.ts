import { type DocsRegistry, type DocumentedRoute, templateNames } from '../registry/index.js';
import type { OpenApiDocument, PathItem } from './openapi-document.js';
import { operationOf } from './operation.js';
import { OperationIds } from './operation-id.js';
import { PROBLEM, problemSchema } from './problem.js';
import { referenceTo, SchemaWriter } from './schema-writer.js';

/** The OpenAPI 3.1.0 document of a registry, made from one reading of its routes. */
export function openApiOf(registry: Pick<DocsRegistry, 'api' | 'guards' | 'routes'>): OpenApiDocument {
  const { api, guards } = registry;
  const routes = registry.routes();
  const writer = new SchemaWriter();
  writer.reserve(PROBLEM, problemSchema);
  const ids = new OperationIds();
  const paths = new PathItems();
  for (const route of routes) {
    const placed = paths.placed(route);
    paths.add(placed, operationOf(placed, ids.of(placed), writer, guards));
  }
  const tags = [...new Set(routes.flatMap((route) => route.tags))].map((name) => ({ name }));
  const schemes = guards.map(({ name, scheme }) => [name, scheme] as const);
  return {
    openapi: '3.1.0',
    info: { title: api.title, version: api.version, ...(api.description !== '' && { description: api.description }) },
    // The service that the document comes from; a route asks for credentials where it says so, the others do not.
    servers: [{ url: '/' }],
    security: [],
    ...(tags.length > 0 && { tags }),
    paths: paths.items,
    components: {
      schemas: writer.components(),
      responses: {
        [PROBLEM]: {
          description: 'An error',
          content: { 'application/problem+json': { schema: referenceTo(PROBLEM) } },
        },
      },
      ...(schemes.length > 0 && { securitySchemes: Object.fromEntries(schemes) }),
    },
  };
}

class PathItems {
  readonly items: Record<string, PathItem> = {};
  readonly #byShape = new Map<string, string>();

  /** A route at its key. `/a/{id}` and `/a/{name}` are one path to OpenAPI, so that the first spelling stands for both. */
  placed(route: DocumentedRoute): DocumentedRoute {
    const { path, shape } = route;
    const first = this.#byShape.get(shape) ?? path;
    this.#byShape.set(shape, first);
    return first === path ? route : respelled(route, first);
  }

  add({ path, method }: DocumentedRoute, operation: PathItem[string]): void {
    const item = (this.items[path] ??= {}) as Record<string, PathItem[string]>;
    // A WebSocket route may share the path of a GET; the document has room for one of them.
    item[method.toLowerCase()] ??= operation;
  }
}

// The parameters of a route whose path is spelled like another one's carry the other one's names.
function respelled(route: DocumentedRoute, path: string): DocumentedRoute {
  const names = new Map(templateNames(route.path).map((name, index) => [name, templateNames(path)[index] as string]));
  const input = route.input.map((group) => {
    if (group.source !== 'params') return group;
    const properties = Object.entries((group.schema['properties'] as object | undefined) ?? {});
    const renamed = Object.fromEntries(
      properties.map(([name, schema]) => [names.get(name) ?? name, schema as unknown]),
    );
    return { ...group, schema: { ...group.schema, properties: renamed } };
  });
  return { ...route, path, input };
}
