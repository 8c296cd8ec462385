import { Type } from 'typebox';
import { defineTool, pageOf } from '../../../kernel/index.js';
import { PROJECT_FW } from '../../../kernel/invocation/index.js';
import { optional, optionalText, Text, Texts } from '../../../kernel/schema/index.js';
import { readRoutes, ROUTES_FILE, RouteEntry } from './routes-file.js';

export const fwRoutes = defineTool({
  name: 'fw_routes',
  description: 'List the routes that a project declares; it is not run.',
  input: Type.Object({
    dir: optionalText('project root'),
    json: optional(Type.Boolean({ description: 'text as JSON' })),
    route: optionalText('text in method and path'),
    limit: optional(Type.Integer({ minimum: 1 })),
  }),
  output: Type.Object({
    file: Text,
    count: Type.Integer({ description: 'of all' }),
    routes: Type.Array(RouteEntry),
    notes: Texts,
  }),
  paths: ['dir'],
  texts: ['route'],
  reach: 'workspace',
  effects: [],
  run: async ({ dir, json, route = '', limit }, context) => {
    const project = dir ?? context.workspace;
    const all = await readRoutes(project, context);
    const fitting = all.filter(({ method, path }) => `${method} ${path}`.includes(route.trim()));
    const { shown: routes, notes } = pageOf(fitting, limit, 'pass route or limit', MOST_CHARACTERS);
    return {
      summary: `${all.length} route(s)`,
      structured: { file: ROUTES_FILE, count: all.length, routes, notes },
      text: json ? JSON.stringify(routes) : table(routes, all.length, notes),
    };
  },
});

/** Characters of the data in an answer that nobody has limited. */
const MOST_CHARACTERS = 4_500;

function table(routes: readonly RouteEntry[], count: number, notes: readonly string[]): string {
  if (count === 0) return `No routes yet. Add some with fw_generate (kind resource), then run ${PROJECT_FW} codegen.`;
  const rows = routes.map((route) => [route.method, route.path, route.handler, route.block, notesOf(route)]);
  const all = [['METHOD', 'PATH', 'HANDLER', 'BLOCK', 'NOTES'], ...rows];
  const widths = all[0]?.map((_, column) => Math.max(...all.map((row) => row[column]?.length ?? 0))) ?? [];
  const lines = all.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
  const remark =
    'Routes that plugins register at run time are not listed; fw_get_routes reads those of a running service.';
  return [...lines, '', [`${count} routes.`, ...notes, remark].join(' ')].join('\n');
}

function notesOf({ roles, public: isPublic, blocking, middleware, unresolved = [] }: RouteEntry): string {
  const unknown = [...new Set(unresolved.map(({ what }) => what))].join(' ');
  const notes = [
    roles ? `roles: ${roles.join(' ') || 'any'}` : '',
    isPublic ? 'public' : '',
    blocking ? 'blocking' : '',
    middleware > 0 ? `+${middleware} mw` : '',
    unknown === '' ? '' : `only known at run time: ${unknown}`,
  ];
  return notes.filter((note) => note !== '').join(', ');
}
