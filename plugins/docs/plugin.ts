import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import {
  Address,
  AppInfo,
  definePlugin,
  DocsPage,
  HttpMiddleware,
  HttpRoutes,
  HttpServer,
  ModelCatalogue,
  fwError,
  type Resolver,
  type RouteInfo,
  RouteGuard,
} from '../../kernel/index.js';
import { ApiReference } from '../../kernel/contracts/docs.js';
import { openApiOf } from './openapi/index.js';
import { SwaggerPage } from './docs-ui/swagger-page.js';
import { DOCS_ERRORS } from './errors.js';
import { type DocsPluginOptions, docsOptionsSchema } from './options.js';
import { docsProbe } from './probe.js';
import { registerReferenceRoutes } from './reference-routes.js';
import { declarations, DocsRegistry, useRegistry } from './registry/index.js';
import { responseCheck } from './response-check.js';

export default definePlugin({
  id: 'docs',
  category: 'docs',
  description: 'OpenAPI document, reference UI and llms.txt, made from the routes',
  options: docsOptionsSchema,
  needs: ['http'],
  provides: [ApiReference],
  order: {
    after: ['middleware/etag', 'middleware/compression'],
    because: 'it checks what handlers send, which must not be compressed yet',
  },
  register({ options, profile, log, bind, contribute, probe }) {
    // An application that switches collection off must not affect another one in the same process.
    if (options.collect) declarations.decide('on');
    else if (declarations.collection !== 'on') declarations.decide('off');
    let registry = registryOf(options);
    bind(ApiReference, () => ({ document: () => openApiOf(registry), page: options.uiPath || null }));
    contribute(HttpRoutes, (services) => {
      useRegistry((registry = registryOf(options, services)));
      const page = options.uiPath === '' ? undefined : (services.getOptional(DocsPage) ?? new SwaggerPage());
      const { jsonPath, uiPath } = options;
      const reference = { registry, jsonPath, uiPath, page: () => page as DocsPage };
      return { name: 'docs', ownDoor: true, register: (router) => registerReferenceRoutes(router, reference) };
    });
    if (options.checkResponses ?? profile !== 'prod') {
      const handle = responseCheck(log);
      contribute(HttpMiddleware, () => ({ name: 'docs-response-check', handle }));
    }
    contribute(Address, (services) => ({
      label: 'API reference',
      url: () => addressOf(services, options.uiPath || options.jsonPath),
    }));
    probe('docs', () => docsProbe(registry));
  },
  ready(services) {
    refuseUnknownSchemes(registryOf(services.options, services), services.get(HttpServer).routes());
  },
});

function registryOf(options: DocsPluginOptions, services?: Resolver): DocsRegistry {
  const { title, version, description, collect } = options;
  const { termsOfService, contact, license, servers, securitySchemes, security } = options;
  const said = { termsOfService, contact, license, servers, securitySchemes, security };
  const server = services?.get(HttpServer);
  return new DocsRegistry({
    api: { title, version, description, ...withoutUndefined(said) },
    enabled: collect,
    routes: () => server?.routes() ?? [],
    models: services?.all(ModelCatalogue),
    guards: services?.all(RouteGuard),
    package: services && packageName(services.get(AppInfo).root),
  });
}

function withoutUndefined<Members extends object>(
  members: Members,
): { [Key in keyof Members]: NonNullable<Members[Key]> } {
  const given = Object.entries(members).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given) as { [Key in keyof Members]: NonNullable<Members[Key]> };
}

/** @throws FwError `FW_DOCS_SECURITY` for a requirement without a matching scheme */
function refuseUnknownSchemes({ api, guards }: DocsRegistry, routes: readonly RouteInfo[]): void {
  const known = [...guards.map(({ name }) => name), ...Object.keys(api.securitySchemes ?? {})];
  const places = [
    { where: 'the option `security`', security: api.security },
    ...routes.map(({ method, path: at, security, doc }) => ({
      where: `${method} ${at}`,
      security: security ?? doc?.security,
    })),
  ];
  for (const { where, security = [] } of places) {
    const scheme = security.flatMap((each) => Object.keys(each)).find((name) => !known.includes(name));
    if (scheme !== undefined)
      throw fwError(DOCS_ERRORS.FW_DOCS_SECURITY, { where, scheme, known: known.join(', ') || 'none' });
  }
}

function addressOf(services: Resolver, at: string): string | undefined {
  return `${services.get(HttpServer).url}${at}`;
}

/** Name in the package.json of an application; empty when there is none. */
export function packageName(root: string): string {
  const file = path.join(root, 'package.json');
  if (!existsSync(file)) return '';
  const { name } = JSON.parse(readFileSync(file, 'utf8')) as { name?: unknown };
  return typeof name === 'string' ? name : '';
}
