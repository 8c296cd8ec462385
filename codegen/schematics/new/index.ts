import path from 'node:path';
import { fwError, isFwError } from '../../../kernel/errors/index.js';
import { ChangeSet, type FileChange, fillNewFolder } from '../../../kernel/fs/index.js';
import { builtInDialects, defaultDialect } from '../../../plugins/orm/registry/index.js';
import { databaseEntry } from '../add/database-entry.js';
import { contextOver, type GeneratorContext } from '../engine/context.js';
import { SCHEMATICS_ERRORS } from '../errors.js';
import { applyDocument, type DocumentInput } from './apply-document.js';
import { type FrameworkPackage, packFramework } from './pack-framework.js';
import { isInPnpmWorkspace, PNPM_SETTINGS, pnpmSettings } from './pnpm-settings.js';
import { TEMPLATES, type TemplateName, templateFiles } from './template.js';

/** Request to `fw new`. */
interface NewProject {
  /** Name of the folder and of the application. */
  readonly name: string;
  readonly template?: string;
  /** Dialect of its database, one of the framework's; default the one that needs no server. */
  readonly driver?: string | undefined;
  /** Client of the dialect, if there is a choice. */
  readonly client?: string | undefined;
  /** Further content: server, features, models, routes. */
  readonly document?: DocumentInput;
}

/** Where a project is made. */
interface NewProjectSurroundings {
  /** Existing folder. */
  readonly parent: string;
  readonly log: (line: string) => void;
  /** Called with each phase that takes long. */
  readonly doing?: (phase: string) => void;
  readonly signal?: AbortSignal;
  /** The framework, if the caller has it, or has it packed later; default: it is packed here. */
  readonly framework?: FrameworkPackage;
}

/** The new project. */
interface NewProjectResult {
  /** Absolute path of the project. */
  readonly path: string;
  readonly template: TemplateName;
  readonly files: readonly FileChange[];
}

/**
 * Writes every file of a project into a context.
 * @throws FwError `FW_SCHEMATIC_NAME`, `FW_SCHEMATIC_FLAG`, and what the document's features and models throw
 */
export async function writeProject(
  { name, template, driver, client, document = {} }: NewProject,
  framework: FrameworkPackage,
  context: GeneratorContext,
): Promise<TemplateName> {
  const chosen = checkedTemplate(template);
  const database = checkedDatabase(driver, client);
  const { host = '127.0.0.1', port = 3000 } = document.server ?? {};
  const facts = {
    name: document.module || checkedName(name),
    template: chosen,
    docs: document.docs?.enabled !== false,
    tarball: framework.name,
    host,
    port,
    database,
  };
  for (const [file, text] of Object.entries(templateFiles(facts))) await context.write(file, text);
  if (framework.bytes) await context.write(`vendor/${framework.name}`, framework.bytes);
  await applyDocument(document, chosen, context);
  if (chosen === 'api') for (const note of facts.database.notes) context.log(`note: ${note}`);
  return chosen;
}

/**
 * Makes a project in a new folder: its files, and the output of `fw codegen`. Nothing is installed. The folder appears when it is complete;
 * after an error nothing is left.
 *
 * @throws FwError `FW_SCHEMATIC_TARGET`, and what {@link writeProject} throws
 */
export async function newProject(
  request: NewProject,
  { parent, log, doing, signal, framework }: NewProjectSurroundings,
): Promise<NewProjectResult> {
  // What is asked for wrongly is said before the framework is packed.
  checkedTemplate(request.template);
  checkedDatabase(request.driver, request.client);
  const name = checkedName(request.name);
  const packed = framework ?? (await packFramework({ signal, ...(doing && { log: doing }) }));
  try {
    doing?.('writing the files');
    const made = await fillNewFolder(parent, name, async (folder) => {
      const changes = await ChangeSet.open(folder, { maxFileBytes: 64 << 20, maxBytes: 128 << 20 });
      const template = await writeProject(request, packed, contextOver(changes, log));
      // One of its own would take the project out of the workspace.
      if (!isInPnpmWorkspace(parent)) await changes.write(PNPM_SETTINGS, pnpmSettings());
      const files = await changes.commit();
      doing?.('generating code');
      const { runCodegen } = await import('../../engine/run-codegen.js');
      await runCodegen({ root: folder });
      return { template, files };
    });
    return { path: path.join(parent, name), ...made };
  } catch (cause) {
    if (!isFwError(cause) || cause.code !== 'FW_FOLDER_EXISTS') throw cause;
    throw fwError(SCHEMATICS_ERRORS.FW_SCHEMATIC_TARGET, { path: path.join(parent, name) }, { cause });
  }
}

/** @throws FwError `FW_SCHEMATIC_NAME` for a name that some file systems do not allow for a folder */
export function checkedName(given: string): string {
  const name = given.trim();
  const bad = name === '' || /^\.{1,2}$|^-|[<>:"|?*/\\\u0000-\u001f]|[. ]$/.test(name) || name.length > 100;
  if (!bad) return name;
  const expected = 'the name of a new folder, such as my-service, without slashes and other special characters';
  throw fwError(SCHEMATICS_ERRORS.FW_SCHEMATIC_NAME, { name: given, expected });
}

const checkedDatabase = (driver: string = defaultDialect.name, client?: string) =>
  databaseEntry({ driver, ...(client !== undefined && { client }) }, builtInDialects, refusal);

const refusal = (flag: string, problem: string) =>
  fwError(SCHEMATICS_ERRORS.FW_SCHEMATIC_FLAG, { flag: `--${flag}`, what: 'fw new', problem });

function checkedTemplate(given = 'api'): TemplateName {
  const template = TEMPLATES.find((each) => each === given);
  if (template) return template;
  throw refusal('template', `there is no template "${given}"; templates: ${TEMPLATES.join(', ')}`);
}
