import { type DocsRegistry, type DocumentedRoute, templateNames } from '../registry/index.js';
import type { OpenApiDocument, PathItem } from './openapi-document.js';
import { operationOf } from './operation.js';
import { OperationIds } from './operation-id.js';
import { PROBLEM, problemSchema } from './problem.js';
import { referenceTo, SchemaWriter } from './schema-writer.js';

/** The OpenAPI 3.1.0 document of a registry, made from one reading of its routes. */
export function openApiOf(
  registry: Pick<DocsRegistry, 'api' | 'guards' | 'routes'> & Partial<Pick<DocsRegistry, 'webhooks'>>,
): OpenApiDocument {
  const { api, guards } = registry;
  const routes = registry.routes();
  const hooks = registry.webhooks?.() ?? [];
  const writer = new SchemaWriter();
  writer.reserve(PROBLEM, problemSchema);
  const ids = new OperationIds([...routes, ...hooks]);
  const paths = new PathItems();
  for (const route of routes) {
    const placed = paths.placed(route);
    paths.add(placed, operationOf(placed, ids.of(placed), writer, guards));
  }
  const webhooks: Record<string, PathItem> = {};
  for (const hook of hooks) {
    const method = hook.method.toLowerCase();
    webhooks[hook.pattern] = { ...webhooks[hook.pattern], [method]: operationOf(hook, ids.of(hook), writer, []) };
  }
  const tags = [...new Set([...routes, ...hooks].flatMap((route) => route.tags))].map((name) => ({ name }));
  const schemes = { ...Object.fromEntries(guards.map(({ name, scheme }) => [name, scheme])), ...api.securitySchemes };
  const { termsOfService, contact, license } = api;
  return {
    openapi: '3.1.0',
    info: {
      title: api.title,
      version: api.version,
      ...(api.description !== '' && { description: api.description }),
      ...(termsOfService !== undefined && { termsOfService }),
      ...(contact !== undefined && { contact }),
      ...(license !== undefined && { license }),
    },
    // Defaults: the server that the document comes from, and no security requirement for routes without their own.
    servers: api.servers ?? [{ url: '/' }],
    security: api.security ?? [],
    ...(tags.length > 0 && { tags }),
    paths: paths.items,
    ...(hooks.length > 0 && { webhooks }),
    components: {
      schemas: writer.components(),
      responses: {
        [PROBLEM]: {
          description: 'An error',
          content: { 'application/problem+json': { schema: referenceTo(PROBLEM) } },
        },
      },
      ...(Object.keys(schemes).length > 0 && { securitySchemes: schemes }),
    },
  };
}

class PathItems {
  readonly items: Record<string, PathItem> = {};
  readonly #byShape = new Map<string, string>();

  /** A route at its path. `/a/{id}` and `/a/{name}` are one path to OpenAPI, so the first spelling is used for both. */
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

// Renames the parameters of a route to those of the path under which it is listed.
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
