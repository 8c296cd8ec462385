import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, describe, expect, test } from '@jest/globals';
import Koa from 'koa';
import { HttpServer, plugin } from '../../../kernel/index.js';
import { bootTestApp, routesUnderTest, servePlain } from '../../../kernel/testing/index.js';
import http from '../../http/index.js';
import locale, { I18n, type I18nConfig, localeMiddleware, localeOf } from './index.js';

const folders: string[] = [];
afterEach(async () => {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true });
});

const CATALOGS = {
  en: {
    greeting: 'Hello {name}',
    cart: { items: '{count, plural, =0 {Empty} one {# item} other {# items}}' },
    only: 'English',
  },
  de: { de: { greeting: 'Hallo {name}', cart: { items: '{count, plural, one {# Artikel} other {# Artikel}}' } } },
  'pt-BR': { greeting: 'Oi {name}' },
  pl: { cart: { items: '{count, plural, one {# rzecz} few {# rzeczy} many {# rzeczy-wiele} other {# rzeczy-inne}}' } },
};

async function folderOf(catalogs: Record<string, unknown>): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'fw-locale-'));
  folders.push(folder);
  for (const [name, content] of Object.entries(catalogs)) {
    await writeFile(path.join(folder, `${name}.json`), typeof content === 'string' ? content : JSON.stringify(content));
  }
  return folder;
}

const load = async (config: I18nConfig = {}, catalogs: Record<string, unknown> = CATALOGS) =>
  I18n.load({ dir: await folderOf(catalogs), ...config });

describe('localeMiddleware', () => {
  const serve = async () => {
    const app = new Koa().use(localeMiddleware(await load())).use((ctx) => {
      const { locale: resolved, t } = localeOf(ctx as never);
      ctx.body = { resolved, text: t('greeting', { name: 'Ada' }) };
    });
    return servePlain(app);
  };
  const resolve = async (url: string, headers: Record<string, string> = {}) =>
    ((await (await fetch(url, { headers })).json()) as { resolved: string }).resolved;

  test('takes the query parameter, then the cookie, then Accept-Language, then the default [MW-LOCALE-01, MW-LOCALE-02, MW-LOCALE-03, MW-LOCALE-04]', async () => {
    await using server = await serve();
    const all = { Cookie: 'a=b; fw_locale=de', 'Accept-Language': 'pl' };
    expect(await resolve(`${server.url}?lang=pt-BR`, all)).toBe('pt-BR');
    expect(await resolve(server.url, all)).toBe('de');
    expect(await resolve(server.url, { 'Accept-Language': 'pl' })).toBe('pl');
    expect(await resolve(server.url)).toBe('en');
  });

  test('takes the cookie as it is where the application signs its cookies: a page may have set it', async () => {
    const app = new Koa({ keys: ['a key of the application'] });
    app.use(localeMiddleware(await load())).use((ctx) => void (ctx.body = 'x'));
    await using server = await servePlain(app);
    const { headers } = await fetch(server.url, { headers: { Cookie: 'fw_locale=de' } });
    expect(headers.get('content-language')).toBe('de');
  });

  test('passes over what is not loaded', async () => {
    await using server = await serve();
    expect(await resolve(`${server.url}?lang=xx`, { Cookie: 'fw_locale=yy', 'Accept-Language': 'zz, de;q=0.1' })).toBe(
      'de',
    );
  });

  test.each([
    ['pt-br', 'pt-BR'],
    ['de-AT', 'de'],
    ['en;q=0.1, de;q=0.9', 'de'],
    ['de;q=0, en', 'en'],
    ['*', 'en'],
    ['fr, *;q=0.5', 'en'],
    ['nonsense;;q=,, -', 'en'],
    ['x'.repeat(5000), 'en'],
  ])('resolves the Accept-Language %j to %s', async (header, expected) => {
    await using server = await serve();
    expect(await resolve(server.url, { 'Accept-Language': header })).toBe(expected);
  });

  test('says which language it answers in, keeps a choice made by the query, and varies', async () => {
    await using server = await serve();
    const chosen = await fetch(`${server.url}?lang=DE`);
    expect(chosen.headers.get('content-language')).toBe('de');
    expect(chosen.headers.get('set-cookie')).toBe('fw_locale=de; Path=/; Max-Age=31536000; SameSite=Lax');
    expect(chosen.headers.get('vary')).toBe('Accept-Language, Cookie');
    expect(await chosen.json()).toEqual({ resolved: 'de', text: 'Hallo Ada' });
    expect((await fetch(server.url)).headers.get('set-cookie')).toBeNull();
  });

  test('boots as a plugin, with the folder beside app.config.ts', async () => {
    const root = path.dirname(await folderOf({}));
    const dir = path.basename(await folderOf(CATALOGS));
    const plugins = [
      plugin(() => Promise.resolve(http), { port: 0 }),
      plugin(() => Promise.resolve(locale), { dir }),
      routesUnderTest((router) => router.get('/', (ctx) => localeOf(ctx as never).t('cart.items', { count: 2 }))),
    ];
    await using app = await bootTestApp({ root, plugins });
    const { url } = app.services.get(HttpServer);
    expect(await (await fetch(url, { headers: { 'Accept-Language': 'de' } })).text()).toBe('2 Artikel');
    expect(app.diagnostics.get('i18n')).toMatchObject({ status: 'ok', detail: { keys_per_locale: { en: 3, de: 2 } } });
    expect(app.diagnostics.get('locale')).toMatchObject({ status: 'ok' });
  });
});

describe('I18n', () => {
  test('formats ICU messages with the plural rules of the language', async () => {
    const i18n = await load();
    expect([0, 1, 2].map((count) => i18n.translate('en', 'cart.items', { count }))).toEqual([
      'Empty',
      '1 item',
      '2 items',
    ]);
    expect([1, 2, 5].map((count) => i18n.translate('pl', 'cart.items', { count }))).toEqual([
      '1 rzecz',
      '2 rzeczy',
      '5 rzeczy-wiele',
    ]);
  });

  test('goes along the chain of fallbacks', async () => {
    const i18n = await load({ fallbacks: { 'pt-BR': ['de'] } });
    expect(i18n.chainOf('pt-BR')).toEqual(['pt-BR', 'pt', 'de', 'en']);
    expect(i18n.translate('pt-BR', 'greeting', { name: 'x' })).toBe('Oi x');
    expect(i18n.translate('pt-BR', 'cart.items', { count: 1 })).toBe('1 Artikel');
    expect(i18n.translate('pt-BR', 'only')).toBe('English');
  });

  test('gives a missing key in words and reports it once', async () => {
    const missing: string[] = [];
    const i18n = await load({ onMissing: (key, name) => missing.push(`${name} ${key}`) });
    expect(i18n.translate('de', 'checkout.promo_code')).toBe('Promo code');
    i18n.translate('de', 'checkout.promo_code');
    expect(missing).toEqual(['de checkout.promo_code']);
    expect(i18n.report()).toMatchObject({
      status: 'degraded',
      detail: { missing_keys: 1, missing_list: ['de: checkout.promo_code'] },
    });
  });

  test('gives a message that lacks a value as its file has it, and reports it once', async () => {
    const problems: string[] = [];
    const i18n = await load({ onUnformatted: (key, name, problem) => problems.push(`${name} ${key}: ${problem}`) });
    const source = i18n.translate('pt-BR', 'greeting', { name: '{name}' });
    expect(i18n.translate('pt-BR', 'greeting')).toBe(source);
    expect(i18n.translate('pt-BR', 'greeting', { nome: 'x' })).toBe(source);
    expect(problems).toEqual([expect.stringMatching(/^pt\S* greeting: .*"name" was not provided/)]);
    expect(i18n.report()).toMatchObject({ status: 'degraded', detail: { missing_keys: 0 } });
    expect(i18n.report().summary).toBe('1 messages cannot be formatted: see unformatted_list.');
  });

  test('keeps the old catalogs when the new ones are broken', async () => {
    const dir = await folderOf(CATALOGS);
    const i18n = await I18n.load({ dir });
    await writeFile(path.join(dir, 'en.json'), '{');
    await expect(i18n.reload()).rejects.toMatchObject({ code: 'FW_LOCALE_FILE' });
    expect(i18n.translate('en', 'only')).toBe('English');
  });

  test.each<[string, Record<string, unknown>, string, RegExp]>([
    ['no files', {}, 'FW_LOCALE_NO_FILES', /There are no locale files in .*Expected files such as en\.json/],
    ['broken JSON', { en: '{' }, 'FW_LOCALE_FILE', /en\.json cannot be used/],
    ['a list', { en: [1] }, 'FW_LOCALE_FILE', /expected an object of messages/],
    [
      'bad ICU syntax',
      { en: { a: { b: '{count, plural' } } },
      'FW_LOCALE_FILE',
      /message "a\.b" is not valid ICU syntax/,
    ],
    ['no default', { de: {} }, 'FW_LOCALE_DEFAULT', /"en" has no file in .*There are: de/],
  ])('refuses %s', async (_name, catalogs, code, message) => {
    await expect(load({}, catalogs)).rejects.toMatchObject({ code, message: expect.stringMatching(message) });
  });
});
