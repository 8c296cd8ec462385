import path from 'node:path';
import type { Project } from 'ts-morph';
import { isFwError, readTextFile } from '../../../kernel/index.js';
import { PROJECT_FW } from '../../../kernel/invocation/index.js';
import { ENVIRONMENT_FILE, environmentDefaults } from './environment-defaults.js';
import { FEATURES } from './feature-catalogue.js';
import { optionsOf } from './option-values.js';

const MAX_FILE_BYTES = 4 << 20;

/** Checks that the caller may access a path. */
type Confine = (path: string) => Promise<string>;

/** A feature that app.config.ts lists. */
export interface InstalledFeature {
  readonly name: string;
  readonly plugin: string;
  /** Options that are literals in the source. */
  readonly options: Readonly<Record<string, unknown>>;
}

/** A model class of a project. */
export interface ProjectModel {
  readonly name: string;
  readonly table: string;
  readonly file: string;
  readonly fields: readonly {
    readonly name: string;
    readonly type: string;
    readonly column: string;
    readonly primary_key: boolean;
  }[];
  readonly relations: readonly { readonly name: string; readonly model: string; readonly kind: string }[];
}

/** Facts from the sources of a project, read without running it. */
export interface ProjectFacts {
  readonly root: string;
  readonly package: string;
  readonly plugins: readonly string[];
  readonly features: readonly InstalledFeature[];
  readonly models: readonly ProjectModel[];
  readonly routes: readonly ProjectRoute[];
  /** Generated blocks whose content does not fit their checksum. */
  readonly edited: readonly { readonly block: string; readonly file: string }[];
  readonly notes: readonly string[];
}

/** A route of generated/routes.json. */
export interface ProjectRoute {
  readonly method: string;
  readonly path: string;
  readonly handler: string;
  readonly block: string;
  readonly file: string;
  readonly tags: readonly string[];
}

/**
 * Reads a project from its sources, without running it.
 * @throws FwError `FW_SCHEMATIC_NO_PROJECT`, `FW_SCHEMATIC_CONFIG`, and refusals of links that lead outside
 */
export async function readProject(root: string, confine: Confine): Promise<ProjectFacts> {
  const { ConfigSource, CONFIG_FILE, SCHEMATICS_ERRORS, blocksOf } =
    await import('../../../codegen/schematics/index.js');
  const { fwError } = await import('../../../kernel/index.js');
  const read = (file: string) => textOf(path.join(root, file), confine);
  const config = await read(CONFIG_FILE);
  if (config === undefined) throw fwError(SCHEMATICS_ERRORS.FW_SCHEMATIC_NO_PROJECT, { file: CONFIG_FILE, root });
  const { entries } = new ConfigSource(config);
  const notes: string[] = [];
  const routes = routesIn(await read('generated/routes.json'), notes);
  const list = await read('app/route-modules.ts');
  const defaults = environmentDefaults(await read(ENVIRONMENT_FILE));
  return {
    root,
    package: nameIn(await read('package.json'), notes),
    plugins: entries.flatMap(({ module }) => module ?? []),
    features: entries.flatMap(({ module, options }) => {
      const feature = FEATURES.find(({ plugin }) => plugin === module);
      return feature
        ? [{ name: feature.name, plugin: feature.plugin, options: options ? optionsOf(options, defaults) : {} }]
        : [];
    }),
    models: await modelsOf(root, config, confine, notes),
    routes,
    edited: blocksOf(list ?? '')
      .filter(({ pristine }) => !pristine)
      .map(({ name }) => ({ block: name, file: 'app/route-modules.ts' })),
    notes,
  };
}

async function textOf(file: string, confine: Confine): Promise<string | undefined> {
  try {
    return await readTextFile(await confine(file), { maxBytes: MAX_FILE_BYTES });
  } catch (error) {
    if (isFwError(error) && error.code === 'FW_FILE_NOT_FOUND') return undefined;
    throw error;
  }
}

function nameIn(text: string | undefined, notes: string[]): string {
  try {
    return String((JSON.parse(text ?? '{}') as { name?: unknown }).name ?? '');
  } catch {
    notes.push('package.json is not JSON');
    return '';
  }
}

function routesIn(text: string | undefined, notes: string[]): readonly ProjectRoute[] {
  if (text === undefined) {
    notes.push(`there is no generated/routes.json: run ${PROJECT_FW} codegen`);
    return [];
  }
  try {
    return (JSON.parse(text) as ProjectRoute[]).map(({ method, path, handler, block, file, tags }) => ({
      method,
      path,
      handler,
      block,
      file,
      tags,
    }));
  } catch {
    notes.push('generated/routes.json is not what fw codegen writes: run it again');
    return [];
  }
}

// The files that `models` of app.config.ts names are those that code generation reads.
async function modelsOf(
  root: string,
  config: string,
  confine: Confine,
  notes: string[],
): Promise<readonly ProjectModel[]> {
  const [{ Project }, { readModels }, { moduleResolverOf }, { readProjectConfig }, { folderOf, matching, portable }] =
    await Promise.all([
      import('ts-morph'),
      import('../../../codegen/orm/model-store.js'),
      import('../../../codegen/program/index.js'),
      import('../../../codegen/engine/project-config.js'),
      import('../../../codegen/engine/globs.js'),
    ]);
  const project = new Project({ useInMemoryFileSystem: true, skipLoadingLibFiles: true });
  moduleResolverOf(project).withoutPackages();
  const { models: globs, outDir, problems } = readProjectConfig(project, writtenTo(project, 'app.config.ts', config));
  notes.push(...problems.map(({ line, message }) => `app.config.ts:${line}: ${message}`));
  for (const glob of globs) await confine(path.join(root, folderOf(glob)));
  const files: string[] = [];
  for (const absolute of await matching(globs, root, path.join(root, outDir))) {
    const file = portable(root, absolute);
    const text = (await textOf(absolute, confine)) ?? '';
    files.push(writtenTo(project, file, text));
  }
  const found: ProjectModel[] = [];
  for (const [index, { models, problems }] of readModels(files, project).entries()) {
    const file = (files[index] as string).slice(1);
    notes.push(...problems.map(({ line, message }) => `${file}:${line}: ${message}`));
    found.push(
      ...models.map(({ name, table, columns, relations }) => ({
        name,
        table,
        file,
        fields: columns.map(({ property, kind, element, nullable, tag }) => ({
          name: property,
          type: `${element === undefined ? kind : `${element}[]`}${nullable ? '?' : ''}`,
          column: tag.column,
          primary_key: tag.primaryKey,
        })),
        relations: relations.map(({ property, target, kind }) => ({ name: property, model: target, kind })),
      })),
    );
  }
  return found.sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** Writes a file of the project into the in-memory project, and returns its path. */
function writtenTo(project: Project, file: string, text: string): string {
  return project.createSourceFile(path.posix.join('/', file), text, { overwrite: true }).getFilePath();
}
