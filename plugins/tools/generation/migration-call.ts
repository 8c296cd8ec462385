import { PROJECT_FW } from '../../../kernel/invocation/index.js';
import type { ToolContext } from '../../../kernel/index.js';
import type { FileChange } from '../../../kernel/fs/index.js';
import { readProject } from '../introspection/index.js';

const MOST_NAMED = 3;

/**
 * What a summary says where a change made or changed models whose tables come from migrations: nothing else tells before a query fails.
 *
 * @returns a sentence with a space before it, or nothing
 */
export async function migrationCall(
  root: string,
  files: readonly FileChange[],
  { categories, confine, workspace }: Pick<ToolContext, 'categories' | 'confine' | 'workspace'>,
): Promise<string> {
  const changed = new Set(
    files.flatMap(({ path, change }) => (change === 'deleted' || !path.endsWith('.ts') ? [] : path)),
  );
  if (changed.size === 0) return '';
  const project = await readProject(root, confine);
  const models = project.models.filter(({ file }) => changed.has(file)).map(({ name }) => name);
  const orm = project.features.find(({ name }) => name === 'orm');
  if (models.length === 0 || !orm || orm.options['schema'] === 'create-missing') return '';
  const what = models.slice(0, MOST_NAMED).join(', ') + (models.length > MOST_NAMED ? ' and others' : '');
  const writes = categories.some(({ granted, tools }) => granted && tools.includes('fw_write_migration'));
  const given = { name: what, ...(root !== workspace && { path: root }) };
  const call = writes
    ? `call fw_write_migration ${JSON.stringify(given)}, then fw_migrate`
    : `\`${PROJECT_FW} migrate diff --name "${what}"\` writes it`;
  return ` No migration has these changes of models yet: ${call}.`;
}
