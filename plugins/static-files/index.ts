import path from 'node:path';
import { AppInfo, definePlugin, HttpRoutes, Type, withDefault } from '../../kernel/index.js';
import { routes } from '../http/index.js';

/** Serves the files of one folder. For several folders, or with middlewares, call `router.static` in a route module. */
export default definePlugin({
  id: 'static-files',
  category: 'http',
  description: 'Serves the files of a folder, with ranges and conditional requests (RFC 9110)',
  needs: ['http'],
  options: Type.Object({
    prefix: withDefault(Type.String({ pattern: '^/', description: 'URL prefix; starts with /' }), '/public'),
    root: withDefault(
      Type.String({ minLength: 1, description: 'folder with the files, relative to app.config.ts' }),
      'public',
    ),
    index: withDefault(Type.String({ minLength: 1, description: 'file that stands for its folder' }), 'index.html'),
    fallback: Type.Optional(
      Type.String({
        minLength: 1,
        description: 'file that answers visits of pages that no file is there for, as a single-page application needs',
      }),
    ),
    roles: Type.Optional(
      Type.Array(Type.String({ minLength: 1 }), {
        description: 'roles of which a caller needs one; empty: any valid credentials; absent: nothing is asked',
      }),
    ),
    public: Type.Optional(Type.Boolean({ description: 'anybody may call, also below `protect` of middleware/jwt' })),
    cacheControl: Type.Optional(Type.String({ description: 'Cache-Control of every file, e.g. public, max-age=3600' })),
  }),
  register({ options: { prefix, root, ...rest }, contribute }) {
    contribute(HttpRoutes, (services) => {
      const folder = path.resolve(services.get(AppInfo).root, root);
      return routes((router) => router.static(prefix, folder, rest), 'static-files');
    });
  },
});
