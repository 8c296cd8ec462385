import { type HttpContext, type Router, type Static, Type } from '../../../kernel/index.js';
import { foreignPageRefusal, negotiateEncoding } from '../../http/index.js';
import { cookieOf, type Denied } from '../access/access.js';
import { deny, guardSocket } from '../access/deny.js';
import type { Dashboard } from '../dashboard.js';
import type { BootInfo } from '../wire/boot.js';
import { loginHtml, pageHtml } from './page-html.js';
import type { UiFile } from './ui-files.js';

const THEME_COOKIE = 'fw_dash_theme';
const IMMUTABLE = 'private, max-age=31536000, immutable';
const NOT_KEPT = 'no-store';
const LOGIN_BODY_LIMIT = 4 * 1024;
const LoginBody = Type.Object({
  username: Type.String(),
  password: Type.String(),
  next: Type.Optional(Type.String({ description: 'Page to go on to' })),
});
/** The policy of the pages: nothing inline, nothing from another origin, no framing; independent of the application's own policy. */
const POLICY = "default-src 'self'; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

/** Registers the pages, their files, and login and logout (SPEC "Authentication", 6). */
export function pageRoutes(router: Router, dashboard: Dashboard): void {
  router.get('/login', (context) => loginPage(context as never, dashboard));
  router.post('/login', { bodyLimit: LOGIN_BODY_LIMIT, input: { body: LoginBody } }, (context) =>
    login(context as never, context.input.body, dashboard),
  );
  router.post('/logout', (context) => logout(context as never, dashboard));
  router.get('/assets/:name', (context) => asset(context as never, dashboard));
  router.get('/pages/:name', (context) => pluginPage(context as never, dashboard));
  router.websocket('/ws', { title: 'Live view', use: [guardSocket(dashboard.access)] }, (socket) =>
    dashboard.live.serve(socket),
  );
  router.get('/', (context) => page(context as never, dashboard));
  router.get('/*page', (context) => page(context as never, dashboard));
}

async function page(context: HttpContext, dashboard: Dashboard): Promise<unknown> {
  const { access } = dashboard;
  const denied = access.check(context);
  const path = context.params['page'] ?? '';
  const isPage = wantsHtml(context) && !/^(api|assets|pages)(\/|$)/.test(path);
  if (!isPage) return denied ? deny(context, denied) : notFound(context);
  if (denied) return denyPage(context, denied, dashboard);
  // Basic credentials are turned into a session, which the live connection needs.
  if (access.enforced && access.sessionOf(context) === undefined) return intoSession(context, dashboard);
  secure(context);
  const manifest = await dashboard.files.manifest();
  context.type = 'text/html; charset=utf-8';
  return pageHtml({ boot: await bootInfo(context, dashboard), manifest, theme: themeOf(context) }, path);
}

function intoSession(context: HttpContext, { access }: Dashboard): unknown {
  const cookie = access.openSession(context);
  if (cookie === undefined) return deny(context, { status: 429, body: { error: 'too many people are logged in' } });
  context.set('Set-Cookie', cookie);
  return redirect(context, context.url);
}

function denyPage(context: HttpContext, denied: Denied, { options }: Dashboard): unknown {
  if (denied.status !== 401) return deny(context, denied);
  const next = context.url.startsWith(`${options.basePath}/`) ? `?next=${encodeURIComponent(context.url)}` : '';
  return redirect(context, `${options.basePath}/login${next}`);
}

async function loginPage(context: HttpContext, dashboard: Dashboard): Promise<unknown> {
  const { access, options } = dashboard;
  if (!access.enforced || access.sessionOf(context) !== undefined) return redirect(context, options.basePath);
  return loginForm(context, dashboard, nextOf(context.query['next'], options.basePath));
}

async function loginForm(context: HttpContext, dashboard: Dashboard, next: string, problem = ''): Promise<string> {
  secure(context);
  const manifest = await dashboard.files.manifest();
  context.type = 'text/html; charset=utf-8';
  return loginHtml({ boot: await bootInfo(context, dashboard), manifest, theme: themeOf(context), next, problem });
}

// The page's script sends JSON; without the script the browser submits the form and expects a page.
async function login(
  context: HttpContext,
  { username, password, next: wanted }: Static<typeof LoginBody>,
  dashboard: Dashboard,
): Promise<unknown> {
  const { access, options } = dashboard;
  const isForm = Boolean(context.is('urlencoded'));
  context.set('Cache-Control', NOT_KEPT);
  // Another site must not be able to log a person in (login CSRF).
  const foreign = foreignPageRefusal(context);
  if (foreign) return deny(context, { status: foreign.status, body: { error: foreign.message } });
  const next = nextOf(wanted, options.basePath);
  if (access.enforced) {
    const result = access.login(context, username, password);
    if (!result.ok) {
      if (result.retryAfter > 0) context.set('Retry-After', String(result.retryAfter));
      if (result.retryAfter > 0) context.status = 429;
      return isForm ? loginForm(context, dashboard, next, result.error) : { ok: false, error: result.error };
    }
    context.set('Set-Cookie', result.cookie);
  }
  if (!isForm) return { ok: true, redirect: next };
  context.status = 303;
  return redirect(context, next);
}

function logout(context: HttpContext, { access, options }: Dashboard): unknown {
  context.set('Cache-Control', NOT_KEPT);
  const denied = access.check(context) ?? access.checkWrite(context);
  if (denied) return deny(context, denied);
  context.set('Set-Cookie', access.logout(context));
  return { ok: true, redirect: `${options.basePath}/login` };
}

// Served without a login: the login page needs it, and the bundle is part of the published package.
async function asset(context: HttpContext, { files }: Dashboard): Promise<unknown> {
  const file = await files.file(paramOf(context));
  return file ? sendFile(context, file) : notFound(context);
}

async function pluginPage(context: HttpContext, { access, pages }: Dashboard): Promise<unknown> {
  const denied = access.check(context);
  if (denied) return deny(context, denied);
  const file = await pages.file(paramOf(context).replace(/\.js$/, ''));
  return file ? sendFile(context, file) : notFound(context);
}

async function bootInfo(context: HttpContext, { info, options, access, pages }: Dashboard): Promise<BootInfo> {
  const { name, version, profile } = info;
  return {
    basePath: options.basePath,
    app: { name, version, profile },
    csrf: access.csrfOf(context),
    login: access.enforced,
    fleet: Boolean(options.fleetAggregatorURL),
    pages: await pages.infos(),
  };
}

// The files contain no secret, so compression cannot leak one.
async function sendFile(context: HttpContext, file: UiFile): Promise<Buffer> {
  context.type = file.type;
  context.set('Cache-Control', IMMUTABLE);
  if (!file.isWorthEncoding) return file.body;
  context.vary('Accept-Encoding');
  const encoding = negotiateEncoding(context.get('Accept-Encoding'));
  if (encoding === undefined) return file.body;
  context.set('Content-Encoding', encoding);
  return file.encoded(encoding);
}

function secure(context: HttpContext): void {
  context.set({ 'Content-Security-Policy': POLICY, 'Cache-Control': NOT_KEPT, 'X-Content-Type-Options': 'nosniff' });
}

/** Where to go after the login: a page of the dashboard, never another site. */
function nextOf(given: unknown, basePath: string): string {
  return typeof given === 'string' && (given === basePath || given.startsWith(`${basePath}/`)) && !/[\\\s]/.test(given)
    ? given
    : basePath;
}

function themeOf(context: HttpContext): 'light' | 'dark' | undefined {
  const chosen = cookieOf(context, THEME_COOKIE);
  return chosen === 'light' || chosen === 'dark' ? chosen : undefined;
}

function paramOf(context: HttpContext): string {
  return context.params['name'] ?? '';
}

function wantsHtml(context: HttpContext): boolean {
  return context.accepts('html', 'json') !== 'json';
}

function redirect(context: HttpContext, to: string): undefined {
  context.set('Cache-Control', NOT_KEPT);
  context.redirect(to);
  return undefined;
}

function notFound(context: HttpContext): object {
  context.status = 404;
  return { error: 'not found' };
}
