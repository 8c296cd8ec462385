import type { RouteEntry } from '../routes/route-entry.js';

const HEAD = ['METHOD', 'PATH', 'HANDLER', 'NOTES'] as const;

/** The routes as a table, with what is not known about them below. */
export function routesReport(routes: readonly RouteEntry[]): string {
  if (routes.length === 0) return EMPTY;
  const rows = routes.map((route) => [route.method, route.path, handlerOf(route), notesOf(route)]);
  const count = `${routes.length} route${routes.length === 1 ? '' : 's'}`;
  return [
    ...table([[...HEAD], ...rows]),
    '',
    `${count}, as of the last fw codegen. Routes that plugins add while they start are not listed.`,
    ...unresolvedLines(routes),
    '',
  ].join('\n');
}

const EMPTY = [
  'No routes are declared. Write a file in a folder that `routes` of app.config.ts names, such as app/routes/hello.ts:',
  '',
  "  import { routes } from 'fw/http';",
  "  export default routes((router) => { router.get('/hello', () => 'hello'); });",
  '',
  'Contribute it to HttpRoutes in a plugin, and generate code anew.',
  '',
].join('\n');

// A function without a name is best named by its place.
function handlerOf({ handler, file, line }: RouteEntry): string {
  return handler.startsWith('(') ? `${file}:${line}` : handler;
}

function notesOf(route: RouteEntry): string {
  const { blocking, websocket, middleware, hidden, deprecated, unresolved } = route;
  const open = [...new Set(unresolved.map(({ what }) => what))];
  return [
    ...accessNote(route),
    ...(blocking ? ['blocking'] : []),
    ...(websocket ? ['websocket'] : []),
    ...(middleware > 0 ? [`+${middleware} mw`] : []),
    ...(hidden ? ['hidden'] : []),
    ...(deprecated ? ['deprecated'] : []),
    ...(open.length > 0 ? [`unresolved: ${open.join(', ')}`] : []),
  ].join(', ');
}

// Notes about callers come first, because they are what a reader looks for most.
function accessNote({ roles, public: isPublic }: RouteEntry): readonly string[] {
  if (roles) return [`roles: ${roles.join(' ') || 'any'}`];
  return isPublic ? ['public'] : [];
}

function unresolvedLines(routes: readonly RouteEntry[]): string[] {
  const lines = routes.flatMap(({ method, path, unresolved }) =>
    unresolved.map(({ what, file, line, reason }) => `  ${file}:${line} ${method} ${path}, ${what}: ${reason}`),
  );
  return lines.length === 0 ? [] : ['', 'Only known at run time:', ...new Set(lines)];
}

function table(rows: readonly (readonly string[])[]): string[] {
  const widths = HEAD.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}
