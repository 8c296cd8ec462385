import path from 'node:path';
import { fwError, isFwError } from '../../../kernel/errors/index.js';
import { ChangeSet, type FileChange, fillNewFolder } from '../../../kernel/fs/index.js';
import { contextOver, type GeneratorContext } from '../engine/context.js';
import { SCHEMATICS_ERRORS } from '../errors.js';
import { applyDocument, type DocumentInput } from './apply-document.js';
import { packFramework, type PackedFramework } from './pack-framework.js';
import { TEMPLATES, type TemplateName, templateFiles } from './template.js';

/** What `fw new` is asked for. */
export interface NewProject {
  /** Name of the folder and of the application. */
  readonly name: string;
  readonly template?: string;
  /** What else it shall have: server, features, models, routes. */
  readonly document?: DocumentInput;
}

/** Where a project is made. */
export interface NewProjectSurroundings {
  /** Existing folder. */
  readonly parent: string;
  readonly log: (line: string) => void;
  /** Told what goes on, where it takes long. */
  readonly doing?: (phase: string) => void;
  readonly signal?: AbortSignal;
  /** The packed framework, when the caller has it already; otherwise it is packed here. */
  readonly framework?: PackedFramework;
}

/** What was made. */
export interface NewProjectResult {
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
  { name, template, document = {} }: NewProject,
  framework: PackedFramework,
  context: GeneratorContext,
): Promise<TemplateName> {
  const chosen = checkedTemplate(template);
  const { host = '127.0.0.1', port = 3000 } = document.server ?? {};
  const facts = {
    name: document.module || checkedName(name),
    template: chosen,
    docs: document.docs?.enabled !== false,
    tarball: framework.name,
    host,
    port,
  };
  for (const [file, text] of Object.entries(templateFiles(facts))) await context.write(file, text);
  await context.write(`vendor/${framework.name}`, framework.bytes);
  await applyDocument(document, chosen, context);
  return chosen;
}

/**
 * Makes a project in a new folder: its files, and what `fw codegen` makes of them. Nothing is installed. The folder gets its
 * name when everything is in it; when something fails before, nothing is left.
 *
 * @throws FwError `FW_SCHEMATIC_TARGET`, and what {@link writeProject} throws
 */
export async function newProject(
  request: NewProject,
  { parent, log, doing, signal, framework }: NewProjectSurroundings,
): Promise<NewProjectResult> {
  checkedTemplate(request.template);
  const name = checkedName(request.name);
  const packed = framework ?? (await packFramework({ signal, ...(doing && { log: doing }) }));
  try {
    doing?.('writing the files');
    const made = await fillNewFolder(parent, name, async (folder) => {
      const changes = await ChangeSet.open(folder, { maxFileBytes: 64 << 20, maxBytes: 128 << 20 });
      const template = await writeProject(request, packed, contextOver(changes, log));
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

/** @throws FwError `FW_SCHEMATIC_NAME` for what cannot be a folder's name everywhere */
export function checkedName(given: string): string {
  const name = given.trim();
  const bad = name === '' || /^\.{1,2}$|^-|[<>:"|?*/\\\u0000-\u001f]|[. ]$/.test(name) || name.length > 100;
  if (!bad) return name;
  const expected = 'the name of a new folder, such as my-service, without slashes and other special characters';
  throw fwError(SCHEMATICS_ERRORS.FW_SCHEMATIC_NAME, { name: given, expected });
}

function checkedTemplate(given = 'api'): TemplateName {
  const template = TEMPLATES.find((each) => each === given);
  if (template) return template;
  const problem = `there is no template "${given}"; templates: ${TEMPLATES.join(', ')}`;
  throw fwError(SCHEMATICS_ERRORS.FW_SCHEMATIC_FLAG, { flag: '--template', what: 'fw new', problem });
}
