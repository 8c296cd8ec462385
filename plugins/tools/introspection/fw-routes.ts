import { Type } from 'typebox';
import { defineTool } from '../../../kernel/index.js';
import { PROJECT_FW } from '../../../kernel/invocation/index.js';
import { readRoutes, ROUTES_FILE, RouteEntry } from './routes-file.js';

export const fwRoutes = defineTool({
  name: 'fw_routes',
  description: 'List the routes a project declares, from the list fw codegen wrote; the project is not run.',
  input: Type.Object({
    dir: Type.Optional(Type.String({ description: 'project root' })),
    json: Type.Optional(Type.Boolean({ description: 'JSON text instead of a table' })),
  }),
  output: Type.Object({ file: Type.String(), count: Type.Integer(), routes: Type.Array(RouteEntry) }),
  paths: ['dir'],
  reach: 'workspace',
  effects: [],
  run: async ({ dir, json }, context) => {
    const project = dir ?? context.workspace;
    const routes = [...(await readRoutes(project, context))];
    return {
      summary: `${routes.length} route(s)`,
      structured: { file: ROUTES_FILE, count: routes.length, routes },
      text: json ? JSON.stringify(routes, null, 2) : table(routes),
    };
  },
});

function table(routes: readonly RouteEntry[]): string {
  if (routes.length === 0)
    return `No routes yet. Add some with fw_generate (kind resource), then run ${PROJECT_FW} codegen.`;
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
  return [...lines, '', `${routes.length} routes. ${remark}`].join('\n');
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
