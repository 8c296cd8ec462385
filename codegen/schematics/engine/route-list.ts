import { camelCase, snakeCase } from '../../../plugins/orm/core/index.js';
import { replaceBlock } from './blocks.js';
import type { GeneratorContext } from './context.js';

/** The file that lists the route modules, in a block that is made from the files under app/routes. */
export const ROUTE_LIST = 'app/route-modules.ts';

/** The list for these files of app/routes. */
export function routeListBody(files: readonly string[]): string {
  const modules = files
    .filter((file) => file.endsWith('.ts') && !/\.(test|d)\.ts$/.test(file))
    .map((file) => file.slice(0, -'.ts'.length))
    .sort();
  const imports = modules.map((stem) => `import ${nameOf(stem)} from './routes/${stem}.js';\n`).join('');
  const names = modules.map(nameOf).join(', ');
  return `import type { RouteModule } from 'fw';
${imports}
/** Every module of app/routes. */
export const ROUTE_MODULES: readonly RouteModule[] = [${names}];
`;
}

const nameOf = (stem: string): string => `${camelCase(snakeCase(stem.replace(/[^A-Za-z0-9]+/g, '_')))}Routes`;

/** Brings the list up to date. @throws FwError `FW_SCHEMATIC_EDITED`, `FW_SCHEMATIC_BLOCK` */
export async function refreshRouteList(context: GeneratorContext, force: boolean): Promise<void> {
  const text = (await context.read(ROUTE_LIST)) ?? '';
  const body = routeListBody(await context.list('app/routes'));
  const { text: after, changed } = replaceBlock(ROUTE_LIST, text, 'routes', body, force);
  if (!changed) return;
  await context.write(ROUTE_LIST, after);
  context.log(`updated ${ROUTE_LIST}`);
}
