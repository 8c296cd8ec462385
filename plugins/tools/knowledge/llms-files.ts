import path from 'node:path';
import { isFwError, readTextFile, type ToolContext } from '../../../kernel/index.js';
import { readProject } from '../introspection/index.js';
import type { ProjectLlms } from '../../../codegen/llms/index.js';

const MAX_BYTES = 16 << 20;

/**
 * The current content of a project's llms files, computed from its sources.
 * @throws FwError `FW_SCHEMATIC_NO_PROJECT`, `FW_SCHEMATIC_CONFIG`, `FW_LLMS_SOURCES`
 */
export async function llmsOf(root: string, context: ToolContext): Promise<ProjectLlms> {
  // Loaded on demand: the parser is slow to load, and most calls do not need it.
  const [{ currentSources }, { projectLlms }] = await Promise.all([
    import('../../../codegen/llms/current-sources.js'),
    import('../../../codegen/llms/index.js'),
  ]);
  const notes = await notesOf(root, context);
  const { entries, facts } = await currentSources(root);
  const made = projectLlms(root, entries, facts);
  return { ...made, notes: [...notes, ...made.notes] };
}

// The files come from the sources, whether or not the application serves them.
async function notesOf(root: string, context: ToolContext): Promise<readonly string[]> {
  const { features } = await readProject(root, (file) => context.confine(file));
  const docs = features.find(({ name }) => name === 'docs');
  if (!docs)
    return ['fw/docs is not in app.config.ts: the running application serves no llms.txt; fw_add docs adds it'];
  return docs.options['collect'] === false
    ? ['fw/docs collects no routes (collect: false): the llms.txt of the running application is empty']
    : [];
}

/** Text of one of the files on disk; undefined when it is missing. */
export async function textOnDisk(folder: string, name: string, context: ToolContext): Promise<string | undefined> {
  try {
    return await readTextFile(await context.confine(path.join(folder, name)), { maxBytes: MAX_BYTES });
  } catch (error) {
    if (isFwError(error) && error.code === 'FW_FILE_NOT_FOUND') return undefined;
    throw error;
  }
}
