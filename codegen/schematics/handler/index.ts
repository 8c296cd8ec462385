import { type Action, actionsOf, pathOf } from '../engine/actions.js';
import { type Names } from '../engine/names.js';
import { writeOwned } from '../engine/owned-file.js';
import { refreshRouteList } from '../engine/route-list.js';
import { FORCE, PLURAL, type Schematic, textFlag } from '../engine/schematic.js';

const VERBS: Readonly<Record<Action, readonly [method: string, suffix: string, status: number]>> = {
  list: ['get', '', 200],
  get: ['get', '/:id', 200],
  create: ['post', '', 201],
  update: ['put', '/:id', 200],
  delete: ['delete', '/:id', 204],
};

/** A route module with a documented handler per action, for logic without a table. */
export const handlerSchematic: Schematic = {
  kind: 'handler',
  summary: 'a route module with one documented handler per action, for what is not rows of a table',
  flags: [
    FORCE,
    PLURAL,
    textFlag('path', 'path of the routes; default /api/<plural>'),
    textFlag('methods', 'some of list,get,create,update,delete'),
  ],
  takesFields: false,
  async run(request, context) {
    const { names, on } = request;
    const path = pathOf(request, `/api/${names.pluralKebab}`, 'handler');
    const text = handlerText(names, path, actionsOf(request, 'handler'));
    await writeOwned(context, 'handler', `app/routes/${names.pluralKebab}.ts`, text, on('force'));
    await refreshRouteList(context, on('force'));
  },
};

function handlerText(names: Names, path: string, actions: readonly Action[]): string {
  const byId = actions.some((action) => VERBS[action][1] !== '');
  const params = `const ${names.pascal}PathParams = Type.Object({\n  id: Type.String({ description: 'Id of the ${names.words}' }),\n});\n\n`;
  return `import { Type } from 'fw';
import { routes } from 'fw/http';

${byId ? params : ''}const ${names.pascal}Response = Type.Object({ action: Type.String() });

/** Routes of ${names.pluralWords}. */
export default routes((router) => {
${actions.map((action) => routeText(names, path, action)).join('\n')}}, '${names.pluralKebab}');
`;
}

function routeText({ pascal, plural, words, pluralWords }: Names, path: string, action: Action): string {
  const [method, suffix, status] = VERBS[action];
  const many = action === 'list';
  const options = [
    `title: '${action.charAt(0).toUpperCase()}${action.slice(1)} ${many ? pluralWords : words}'`,
    `tags: ['${pluralWords}']`,
    ...(suffix === '' ? [] : [`input: { params: ${pascal}PathParams }`]),
    ...(status === 204 ? [] : [`output: ${pascal}Response`]),
    ...(status === 200 ? [] : [`status: ${status}`]),
  ];
  const answer = status === 204 ? `(ctx) {\n      ctx.status = 204;` : `() {\n      return { action: '${action}' };`;
  return `  router.${method}(
    '${path}${suffix}',
    {
${options.map((option) => `      ${option},\n`).join('')}    },
    function ${action}${many ? plural : pascal}${answer}
    },
  );
`;
}
