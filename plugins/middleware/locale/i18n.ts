import { degraded, fwError, ok, type ProbeReport, toldOf, token } from '../../../kernel/index.js';
import { messageOf } from '../../../kernel/errors/index.js';
import { type Catalog, readCatalogs } from './catalog.js';
import { LOCALE_ERRORS } from './errors.js';
import { negotiateLocale } from './negotiate-locale.js';

/** Configuration of {@link I18n}. */
export interface I18nConfig {
  /** Folder with one `<locale>.json` each; default `locales`. */
  readonly dir?: string;
  /** Used when a request names no available locale; default `en`. */
  readonly defaultLocale?: string;
  /** Further locales to search, by locale, before the default one: `{ gsw: ['de', 'fr'] }`. */
  readonly fallbacks?: Readonly<Record<string, readonly string[]>>;
  /** Called once per key and locale that no catalog has. */
  readonly onMissing?: (key: string, locale: string) => void;
  /** Called once per key and locale whose message cannot be formatted, e.g. because a value was not given. */
  readonly onUnformatted?: (key: string, locale: string, problem: string) => void;
}

/** Values for the placeholders of a message. */
export type MessageValues = Readonly<Record<string, string | number | boolean | Date | null | undefined>>;

interface Formatter {
  format(values?: MessageValues): unknown;
}
type FormatterClass = new (message: string, locale: string) => Formatter;

/** Most missing keys, and most that cannot be formatted, that are remembered. */
const MISSING_KEYS = 1000;
/** Most Accept-Language headers whose outcome is remembered. */
const NEGOTIATED = 512;
/** Longest of them, in characters; browsers send far shorter ones. */
const LONGEST_REMEMBERED = 256;
/** How many of them the probe lists. */
const MISSING_SHOWN = 20;

/** Messages in several languages, in ICU syntax. */
export class I18n {
  readonly defaultLocale: string;
  readonly #dir: string;
  readonly #fallbacks: Readonly<Record<string, readonly string[]>>;
  readonly #onMissing: I18nConfig['onMissing'];
  readonly #onUnformatted: I18nConfig['onUnformatted'];
  readonly #missing = new Defects();
  readonly #unformatted = new Defects();
  readonly #negotiated = new Map<string, string | null>();
  #catalogs: ReadonlyMap<string, Catalog> = new Map();
  #formatters = new Map<string, Formatter>();
  #Formatter: FormatterClass | undefined;

  constructor(config: I18nConfig = {}) {
    this.#dir = config.dir ?? 'locales';
    this.defaultLocale = config.defaultLocale ?? 'en';
    this.#fallbacks = config.fallbacks ?? {};
    this.#onMissing = config.onMissing && toldOf('onMissing', config.onMissing);
    this.#onUnformatted = config.onUnformatted && toldOf('onUnformatted', config.onUnformatted);
  }

  /** Makes an instance and reads its catalogs. @throws FwError as {@link reload} */
  static async load(config?: I18nConfig): Promise<I18n> {
    const i18n = new I18n(config);
    await i18n.reload();
    return i18n;
  }

  /**
   * Reads the catalogs again; the old ones stay if a new one is invalid.
   * @throws FwError `FW_LOCALE_NO_FILES`, `FW_LOCALE_FILE` or `FW_LOCALE_DEFAULT`
   */
  async reload(): Promise<void> {
    const { IntlMessageFormat } = await import('intl-messageformat');
    this.#Formatter = IntlMessageFormat as unknown as FormatterClass;
    const catalogs = await readCatalogs(this.#dir);
    if (!catalogs.has(this.defaultLocale)) {
      const found = [...catalogs.keys()];
      throw fwError(LOCALE_ERRORS.FW_LOCALE_DEFAULT, { locale: this.defaultLocale, dir: this.#dir, found });
    }
    this.#formatters = this.#compile(catalogs);
    this.#catalogs = catalogs;
    this.#negotiated.clear();
  }

  /** Locales that are loaded, sorted. */
  locales(): readonly string[] {
    return [...this.#catalogs.keys()].sort();
  }

  /** The spelling of a loaded locale, found whatever the case; undefined when it is not loaded. */
  find(locale: string): string | undefined {
    if (this.#catalogs.has(locale)) return locale;
    const wanted = locale.toLowerCase();
    return this.locales().find((each) => each.toLowerCase() === wanted);
  }

  /** The best loaded locale for an `Accept-Language` header; undefined when none fits. */
  negotiate(acceptLanguage: string): string | undefined {
    const known = this.#negotiated.get(acceptLanguage);
    if (known !== undefined) return known ?? undefined;
    const found = negotiateLocale(acceptLanguage, this.locales(), this.defaultLocale);
    if (this.#negotiated.size >= NEGOTIATED) this.#negotiated.clear();
    if (acceptLanguage.length <= LONGEST_REMEMBERED) this.#negotiated.set(acceptLanguage, found ?? null);
    return found;
  }

  /**
   * A message in a locale, or in the first of its fallbacks that has it. For a missing key it returns the last part in words
   * (`checkout.promo_code` gives `Promo code`) and reports the key. A message that lacks a value is reported too, and returned unformatted:
   * a page with a gap is better than none.
   */
  translate(locale: string, key: string, values?: MessageValues): string {
    for (const each of this.chainOf(locale)) {
      const formatter = this.#formatters.get(`${each}\n${key}`);
      if (formatter) return this.#format(formatter, each, key, values);
    }
    if (this.#missing.isNew(key, locale)) this.#onMissing?.(key, locale);
    return inWords(key);
  }

  /** Locales that are looked in, in order: itself, its shorter forms, its configured fallbacks, the default. */
  chainOf(locale: string): readonly string[] {
    const parts = locale.split('-');
    const own = parts.map((_, index) => parts.slice(0, parts.length - index).join('-'));
    const configured = own.flatMap((each) => this.#fallbacks[each] ?? []);
    return [...new Set([...own, ...configured, this.defaultLocale])];
  }

  /** What the `i18n` subsystem reports. */
  report(): ProbeReport {
    const detail = {
      dir: this.#dir,
      default_locale: this.defaultLocale,
      locales: this.locales(),
      keys_per_locale: Object.fromEntries([...this.#catalogs].map(([locale, catalog]) => [locale, catalog.size])),
      fallbacks: this.#fallbacks,
      missing_keys: this.#missing.count,
      missing_list: this.#missing.first,
      unformatted_keys: this.#unformatted.count,
      unformatted_list: this.#unformatted.first,
    };
    if (this.#catalogs.size === 0) return degraded('No locale is loaded.', { detail });
    if (detail.missing_keys > 0) return degraded(`${detail.missing_keys} messages are missing.`, { detail });
    if (detail.unformatted_keys > 0)
      return degraded(`${detail.unformatted_keys} messages cannot be formatted: see unformatted_list.`, { detail });
    return ok(`Locales: ${this.locales().join(', ')}`, { detail });
  }

  // Every message is compiled now, so that a syntax error shows at boot with its file and key, not in a request.
  #compile(catalogs: ReadonlyMap<string, Catalog>): Map<string, Formatter> {
    const formatters = new Map<string, Formatter>();
    for (const [locale, catalog] of catalogs) {
      for (const [key, message] of catalog) formatters.set(`${locale}\n${key}`, this.#compileOne(locale, key, message));
    }
    return formatters;
  }

  #compileOne(locale: string, key: string, message: string): Formatter {
    try {
      return new (this.#Formatter as FormatterClass)(message, locale);
    } catch (cause) {
      const problem = `message "${key}" is not valid ICU syntax: ${(cause as Error).message}`;
      throw fwError(LOCALE_ERRORS.FW_LOCALE_FILE, { file: `${this.#dir}/${locale}.json`, problem }, { cause });
    }
  }

  #format(formatter: Formatter, locale: string, key: string, values: MessageValues | undefined): string {
    try {
      return String(formatter.format(values));
    } catch (error) {
      if (this.#unformatted.isNew(key, locale)) this.#onUnformatted?.(key, locale, messageOf(error));
      return this.#catalogs.get(locale)?.get(key) ?? inWords(key);
    }
  }
}

/** Keys of which something is wrong, each once per locale; only so many are remembered. */
class Defects {
  readonly #entries = new Set<string>();
  #overflow = 0;

  get count(): number {
    return this.#entries.size + this.#overflow;
  }

  get first(): readonly string[] {
    return [...this.#entries].slice(0, MISSING_SHOWN);
  }

  /** Takes a key. @returns whether it is remembered from now on */
  isNew(key: string, locale: string): boolean {
    const entry = `${locale}: ${key}`;
    if (this.#entries.has(entry)) return false;
    if (this.#entries.size >= MISSING_KEYS) {
      this.#overflow++;
      return false;
    }
    this.#entries.add(entry);
    return true;
  }
}

/** The translations of the application, provided by the locale plugin. */
export const Translations = token<I18n>('fw.Translations');

function inWords(key: string): string {
  const words = key.slice(key.lastIndexOf('.') + 1).replace(/[-_]+/g, ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
