import { writeOwned } from '../engine/owned-file.js';
import { readConfig } from '../engine/project.js';
import { FORCE, type Schematic } from '../engine/schematic.js';

/** A middleware of the project; a person decides its place among the others. */
export const middlewareSchematic: Schematic = {
  kind: 'middleware',
  summary: 'a middleware plugin; its place in app.config.ts is yours to choose',
  flags: [FORCE],
  takesFields: false,
  async run({ names, on }, context) {
    await readConfig(context);
    const source = `import { definePlugin, HttpMiddleware, type Middleware } from 'fw';

/** Runs around every request. Read the request before \`next()\`, and set headers of the response before it, too. */
export const ${names.camel}: Middleware = async function ${names.camel}(ctx, next) {
  ctx.set('X-${names.pascal.replace(/(?!^)([A-Z])/g, '-$1')}', '1');
  await next();
};

export default definePlugin({
  id: 'app/${names.kebab}',
  category: 'middleware',
  description: 'Middleware ${names.words}',
  needs: ['http'],
  register({ contribute }) {
    contribute(HttpMiddleware, () => ({ name: '${names.kebab}', handle: ${names.camel} }));
  },
});
`;
    await writeOwned(context, 'middleware', `app/middleware/${names.kebab}.ts`, source, on('force'));
    context.log(
      `not wired: add plugin(() => import('./app/middleware/${names.kebab}.js')) to app.config.ts where it shall stand; the first is outermost`,
    );
  },
};
