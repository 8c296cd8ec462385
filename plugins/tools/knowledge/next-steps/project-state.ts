import path from 'node:path';
import { isFwError, type ModelFacts, readTextFile, type ToolContext } from '../../../../kernel/index.js';
import type { LlmsStatus } from '../../../../codegen/llms/index.js';
import type { RouteEntry } from '../../../../codegen/routes/index.js';
import { type InstalledFeature, type ProjectFacts, readProject } from '../../introspection/index.js';
import { textOnDisk } from '../llms-files.js';

const MAX_FILE_BYTES = 1 << 20;
const NEVER = ['**/node_modules/**', '**/dist/**', '**/vendor/**', '**/.*/**'];
const TESTS = ['**/*.{test,spec}.{ts,mts,js,mjs}'];
const MIGRATIONS = ['**/migrations/**/*.{ts,mts,js,mjs,sql}'];

/** State of a project, read from its current sources. */
export interface ProjectState {
  readonly facts: ProjectFacts;
  /** From the sources, not from generated/, which may be outdated. Empty when the sources have mistakes. */
  readonly routes: readonly RouteEntry[];
  readonly models: readonly ModelFacts[];
  /** Files of generated/ that are not up to date. */
  readonly stale: readonly string[];
  /** Reason why the sources cannot be read; undefined when they can. */
  readonly mistakes: string | undefined;
  /** Texts of the tests. */
  readonly tests: readonly string[];
  /** Texts of the migrations. */
  readonly migrations: readonly string[];
  /** How llms.txt relates to the sources; undefined when these have mistakes. */
  readonly llms: LlmsStatus | undefined;
  feature(name: string): InstalledFeature | undefined;
  /** Whether the caller may use a tool, which not every server has. */
  has(tool: string): boolean;
}

/**
 * Reads a project without running it.
 * @throws FwError `FW_SCHEMATIC_NO_PROJECT`, `FW_SCHEMATIC_CONFIG`
 */
export async function projectState(root: string, context: ToolContext): Promise<ProjectState> {
  const facts = await readProject(root, (file) => context.confine(file));
  const [sources, tests, migrations] = await Promise.all([
    sourcesOf(root, context),
    textsOf(TESTS, root, context),
    textsOf(MIGRATIONS, root, context),
  ]);
  return {
    facts,
    ...sources,
    tests,
    migrations,
    feature: (name) => facts.features.find((each) => each.name === name),
    has: (tool) => context.categories.some(({ granted, tools }) => granted && tools.includes(tool)),
  };
}

type FromSources = Pick<ProjectState, 'routes' | 'models' | 'stale' | 'mistakes' | 'llms'>;

async function sourcesOf(root: string, context: ToolContext): Promise<FromSources> {
  const [{ currentSources }, { freshnessOf, projectLlms }] = await Promise.all([
    import('../../../../codegen/llms/current-sources.js'),
    import('../../../../codegen/llms/index.js'),
  ]);
  try {
    const { entries, facts, stale } = await currentSources(root);
    const { folder, files } = projectLlms(root, entries, facts);
    const [[name = '', expected = ''] = []] = Object.entries(files);
    const { status } = freshnessOf(await textOnDisk(folder, name, context), expected);
    return { routes: entries, models: facts.models, stale, mistakes: undefined, llms: status };
  } catch (error) {
    if (!isFwError(error) || error.code !== 'FW_LLMS_SOURCES') throw error;
    return { routes: [], models: [], stale: [], mistakes: error.message, llms: undefined };
  }
}

async function textsOf(patterns: readonly string[], root: string, context: ToolContext): Promise<readonly string[]> {
  const { glob } = await import('tinyglobby');
  const files = await glob([...patterns], { cwd: root, ignore: NEVER, followSymbolicLinks: false });
  return Promise.all(
    files.map(async (file) => readTextFile(await context.confine(path.join(root, file)), { maxBytes: MAX_FILE_BYTES })),
  );
}
