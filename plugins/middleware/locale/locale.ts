import { direct, HitCounter, type HttpContext, ok } from '../../../kernel/index.js';
import { type ProbedMiddleware, varyBy, withProbe } from '../../http/index.js';
import type { I18n, MessageValues } from './i18n.js';

/** Cookie that keeps the choice of a user. */
const COOKIE = 'fw_locale';
/** One year, in seconds. */
const COOKIE_AGE = 31_536_000;

/** What the middleware attaches to the context. */
export interface LocaleFields {
  readonly locale: string;
  readonly i18n: I18n;
  /** A message in the locale of the request. */
  t(key: string, values?: MessageValues): string;
}

/**
 * Resolves the locale of a request: query parameter `lang`, cookie `fw_locale`, `Accept-Language`, default; attaches `ctx.locale`,
 * `ctx.i18n` and `ctx.t` (SPEC "Middleware chain", 4). A locale that is not loaded is skipped.
 */
export function localeMiddleware(i18n: I18n): ProbedMiddleware {
  const counter = new HitCounter({ hit: 'resolved', miss: 'defaulted' });
  const translators = translatorsOf(i18n);
  const locale = direct(function locale(context, next) {
    const chosen = fromQuery(context, i18n);
    const resolved = chosen ?? fromCookie(context, i18n) ?? fromHeader(context, i18n);
    if (resolved === undefined) counter.miss();
    else counter.hit();
    attach(context, i18n, resolved ?? i18n.defaultLocale, translators);
    if (chosen !== undefined) keepChoice(context, chosen);
    return next();
  });
  return withProbe(locale, () => ok(`Locales: ${i18n.locales().join(', ')}`, counter.facts()));
}

/** The fields of {@link LocaleFields}, typed, of a context that went through the middleware. */
export function localeOf(context: HttpContext): LocaleFields {
  return context as unknown as LocaleFields;
}

function fromQuery({ req }: HttpContext, i18n: I18n): string | undefined {
  const url = req.url as string;
  const start = url.indexOf('?');
  if (start < 0 || !url.includes('lang=', start)) return undefined;
  const value = new URLSearchParams(url.slice(start + 1)).get('lang');
  return value === null ? undefined : i18n.find(value);
}

function fromCookie({ req, cookies }: HttpContext, i18n: I18n): string | undefined {
  if (req.headers.cookie?.includes(COOKIE) !== true) return undefined;
  // Scripts of pages set the cookie, so it is not signed.
  const value = cookies.get(COOKIE, { signed: false });
  return value === undefined ? undefined : i18n.find(value);
}

function fromHeader({ req }: HttpContext, i18n: I18n): string | undefined {
  const header = req.headers['accept-language'];
  return header === undefined ? undefined : i18n.negotiate(header);
}

const addVary = varyBy('Accept-Language', 'Cookie');

type Writable<Fields> = { -readonly [Field in keyof Fields]: Fields[Field] };

type Translator = LocaleFields['t'];

// One translator per loaded locale, not per request.
function translatorsOf(i18n: I18n): (locale: string) => Translator {
  const known = new Map<string, Translator>();
  return (locale) => {
    const found = known.get(locale);
    if (found !== undefined) return found;
    const made: Translator = (key, values) => i18n.translate(locale, key, values);
    known.set(locale, made);
    return made;
  };
}

function attach(context: HttpContext, i18n: I18n, locale: string, translatorOf: (locale: string) => Translator): void {
  const fields = context as unknown as Writable<LocaleFields>;
  fields.locale = locale;
  fields.i18n = i18n;
  fields.t = translatorOf(locale);
  context.res.setHeader('Content-Language', locale);
  addVary(context.res);
}

function keepChoice(context: HttpContext, locale: string): void {
  const secure = context.secure ? '; Secure' : '';
  context.append('Set-Cookie', `${COOKIE}=${locale}; Path=/; Max-Age=${COOKIE_AGE}; SameSite=Lax${secure}`);
}
