import { camelCase, snakeCase } from '../../../plugins/orm/core/index.js';
import { againOnConflict, ChangeSet } from '../../../kernel/fs/index.js';
import { commitAndGenerate } from '../../engine/follow-up.js';
import { Code, writtenValue } from '../../text/index.js';
import { blocksOf, replaceBlock } from './blocks.js';
import { contextOver, type GeneratorContext } from './context.js';

/** The file that lists the route modules, in a block that is made from the files under app/routes. */
export const ROUTE_LIST = 'app/route-modules.ts';

const ROUTES = 'app/routes';

/** Whether the list depends on a file, which is relative to the project with forward slashes. */
export const isOfRouteList = (file: string): boolean => file === ROUTE_LIST || file.startsWith(`${ROUTES}/`);

const LIST = 'export const ROUTE_MODULES: readonly RouteModule[] = ';

/** The list for these files of app/routes. */
export function routeListBody(files: readonly string[]): string {
  const modules = files
    .filter((file) => file.endsWith('.ts') && !/\.(test|d)\.ts$/.test(file))
    .map((file) => file.slice(0, -'.ts'.length))
    .sort();
  const imports = modules.map((stem) => `import ${nameOf(stem)} from './routes/${stem}.js';\n`).join('');
  const names = modules.map((stem) => new Code(nameOf(stem)));
  return `import type { RouteModule } from 'fw';
${imports}
/** Every module of app/routes. */
${LIST}${writtenValue(names, { indent: 0, column: LIST.length, after: ';'.length })};
`;
}

const nameOf = (stem: string): string => `${camelCase(snakeCase(stem.replace(/[^A-Za-z0-9]+/g, '_')))}Routes`;

/** Updates the list. @throws FwError `FW_SCHEMATIC_EDITED`, `FW_SCHEMATIC_BLOCK` */
export async function refreshRouteList(context: GeneratorContext, force: boolean): Promise<void> {
  const text = (await context.read(ROUTE_LIST)) ?? '';
  const body = routeListBody(await routeModules(context));
  const { text: after, changed } = replaceBlock(ROUTE_LIST, text, 'routes', body, force);
  if (!changed) return;
  await context.write(ROUTE_LIST, after);
  context.log(`updated ${ROUTE_LIST}`);
}

/**
 * Updates the list of a project, unless there is none or a person edited it (a route that is in no list answers 404), and runs code
 * generation.
 *
 * @param generate - called in any case
 */
export function keepRouteList<Result>(
  root: string,
  log: (line: string) => void,
  generate: () => Promise<Result>,
): Promise<Result> {
  return againOnConflict(() => keptOnce(root, log, generate));
}

async function keptOnce<Result>(
  root: string,
  log: (line: string) => void,
  generate: () => Promise<Result>,
): Promise<Result> {
  const changes = await ChangeSet.open(root);
  const text = await changes.readText(ROUTE_LIST);
  const lines: string[] = [];
  if (blocksOf(text ?? '').some(({ name, pristine }) => name === 'routes' && pristine)) {
    await refreshRouteList(
      contextOver(changes, (line) => lines.push(line)),
      false,
    );
  }
  const sayAndGenerate = () => {
    lines.forEach(log);
    return generate();
  };
  return (await commitAndGenerate(changes, sayAndGenerate, { onRecovered: ({ text: said }) => log(said) })).result;
}

// Files without a default export are skipped: shared code of handlers, and functions for worker threads.
async function routeModules(context: GeneratorContext): Promise<readonly string[]> {
  const files = await context.list(ROUTES);
  const texts = await Promise.all(files.map((file) => context.read(`${ROUTES}/${file}`)));
  return files.filter((_, index) => DEFAULT_EXPORT.test(texts[index] ?? ''));
}

const DEFAULT_EXPORT = /^\s*export\s+(?:default\b|\{[^}]*\bdefault\b[^}]*\})/m;
