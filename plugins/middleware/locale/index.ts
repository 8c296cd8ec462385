import { Type } from 'typebox';
import { AppInfo, definePlugin, HttpMiddleware, ReadAtStart, withDefault } from '../../../kernel/index.js';
import path from 'node:path';
import { I18n, Translations } from './i18n.js';
import { localeMiddleware } from './locale.js';

export { I18n, Translations, type I18nConfig, type MessageValues } from './i18n.js';
export { localeMiddleware, localeOf, type LocaleFields } from './locale.js';

export default definePlugin({
  id: 'middleware/locale',
  category: 'middleware',
  description: 'Locale of each request, and messages in it',
  options: Type.Object({
    dir: withDefault(
      Type.String({ description: 'Folder with one <locale>.json each, relative to app.config.ts' }),
      'locales',
    ),
    defaultLocale: withDefault(Type.String({ description: 'Locale when a request names none that is there' }), 'en'),
    fallbacks: withDefault(
      Type.Record(Type.String(), Type.Array(Type.String()), { description: 'Further locales to look in, by locale' }),
      {},
    ),
  }),
  needs: ['http'],
  provides: [Translations],
  order: {
    before: [
      'middleware/cors',
      'middleware/security-headers',
      'middleware/jwt',
      'middleware/etag',
      'middleware/compression',
    ],
    because: 'it stands before anything that renders text',
  },
  register({ options, log, bind, contribute, probe }) {
    let i18n: I18n | undefined;
    bind(Translations, (resolve) => {
      const dir = path.resolve(resolve.get(AppInfo).root, options.dir);
      const onMissing = (key: string, locale: string) => log.warn({ key, locale }, 'message missing');
      const onUnformatted = (key: string, locale: string, problem: string) =>
        log.warn({ key, locale, problem }, 'message cannot be formatted');
      return (i18n = new I18n({ ...options, dir, onMissing, onUnformatted }));
    });
    contribute(ReadAtStart, (resolve) => ({ paths: [path.resolve(resolve.get(AppInfo).root, options.dir)] }));
    contribute(HttpMiddleware, (resolve) => {
      const handle = localeMiddleware(resolve.get(Translations));
      probe('locale', handle.probe);
      return { name: 'locale', handle };
    });
    probe('i18n', () => (i18n ?? new I18n(options)).report());
  },
  start: (services) => services.get(Translations).reload(),
});
