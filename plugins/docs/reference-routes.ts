import path from 'node:path';
import { type DocsPage, fwError, type HttpContext, type RouteOptions, type Router } from '../../kernel/index.js';
import { DOCS_ERRORS } from './errors.js';
import { LLMS_FULL, LLMS_INDEX, llmsDocOf, renderFull, renderIndex } from './llms-txt/index.js';
import { openApiOf } from './openapi/index.js';
import type { DocsRegistry } from './registry/index.js';

/** What the routes of the API reference need. */
export interface ReferenceRoutes {
  /** May be replaced later; each request reads the current one. */
  registry: DocsRegistry;
  readonly jsonPath: string;
  /** Empty: no UI. */
  readonly uiPath: string;
  page(): DocsPage;
}

// Generated per request, which blocks the event loop meanwhile (SPEC "HTTP endpoints", rule 1).
const BLOCKING: RouteOptions = { blocking: true, hidden: true };
const HIDDEN: RouteOptions = { hidden: true };
// A file name carries the version of its content as a query, so that a browser may keep it for good.
const IMMUTABLE = 'public, max-age=31536000, immutable';

/**
 * Registers the document, the UI and the two llms files.
 * @throws FwError `FW_DOCS_PATH`, `FW_DOCS_SAME_PATH`
 */
export function registerReferenceRoutes(router: Router, reference: ReferenceRoutes): void {
  checkPaths(reference);
  const { jsonPath, uiPath } = reference;
  router.get(jsonPath, BLOCKING, function openApiDocument(context) {
    context.type = 'application/json';
    context.body = JSON.stringify(openApiOf(reference.registry));
  });
  router.get(`/${LLMS_INDEX}`, HIDDEN, function llmsIndex(context) {
    sendText(context, renderIndex(llmsDocOf(reference.registry)));
  });
  router.get(`/${LLMS_FULL}`, HIDDEN, function llmsFull(context) {
    sendText(context, renderFull(llmsDocOf(reference.registry)));
  });
  if (uiPath !== '') registerPage(router, reference);
}

function registerPage(router: Router, reference: ReferenceRoutes): void {
  const { jsonPath, uiPath } = reference;
  const base = uiPath === '/' ? '' : uiPath.replace(/\/$/, '');
  router.get(uiPath, BLOCKING, function referencePage(context) {
    const { pathname } = new URL(context.req.url ?? '/', 'http://localhost');
    context.type = 'text/html; charset=utf-8';
    context.body = reference.page().render({
      ...reference.registry.api,
      // Relative to the page, so that a proxy may put the service under a prefix.
      documentUrl: relativeUrl(pathname, jsonPath, uiPath),
      filesUrl: relativeUrl(pathname, `${base}/`, uiPath),
    });
  });
  router.get(`${base}/*file`, HIDDEN, async function referenceFile(context) {
    const { file: name } = context.params;
    const file = await reference.page().file(name ?? '');
    if (file === undefined) return;
    context.type = file.type;
    if (context.URL.search !== '') context.set('Cache-Control', IMMUTABLE);
    context.body = file.body;
  });
}

// `/docsui` and `/docsui/` are one route, but relative addresses start from different folders.
function relativeUrl(pathname: string, target: string, uiPath: string): string {
  const folder = pathname.endsWith('/') ? uiPath : path.posix.dirname(uiPath);
  const relative = path.posix.relative(folder, target) || '.';
  return target.endsWith('/') ? `${relative}/` : relative;
}

function sendText(context: Pick<HttpContext, 'accepts' | 'vary' | 'body' | 'type'>, text: string): void {
  const markdown = context.accepts('text/plain', 'text/markdown') === 'text/markdown';
  // For caches: another client gets another media type (RFC 9110, section 12.5.5).
  context.vary('Accept');
  context.type = `${markdown ? 'text/markdown' : 'text/plain'}; charset=utf-8`;
  context.body = text;
}

function checkPaths({ jsonPath, uiPath }: ReferenceRoutes): void {
  const named = [
    ['the llms index', `/${LLMS_INDEX}`],
    ['the llms reference', `/${LLMS_FULL}`],
    ['jsonPath', jsonPath],
    ...(uiPath === '' ? [] : [['uiPath', uiPath]]),
  ] as [string, string][];
  const seen = new Map<string, string>();
  for (const [what, at] of named) {
    if (!at.startsWith('/')) throw fwError(DOCS_ERRORS.FW_DOCS_PATH, { what, path: at });
    const first = seen.get(at);
    if (first !== undefined) throw fwError(DOCS_ERRORS.FW_DOCS_SAME_PATH, { first, second: what, path: at });
    seen.set(at, what);
  }
}
