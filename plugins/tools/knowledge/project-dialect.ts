import type { ToolContext } from '../../../kernel/index.js';
import { readProject } from '../introspection/index.js';

const OF_DIALECT = /^fw\/orm\/(sqlite|postgres|mysql|sqlserver)$/;

/** Name of the dialect that the databases of a project have, as far as its app.config.ts says it in a literal. */
export async function dialectOf(root: string, context: ToolContext): Promise<string | undefined> {
  const { features, plugins } = await readProject(root, (file) => context.confine(file));
  const driver = features.find(({ name }) => name === 'orm')?.options['driver'];
  if (typeof driver === 'string') return driver;
  return plugins.flatMap((plugin) => OF_DIALECT.exec(plugin)?.[1] ?? [])[0];
}
