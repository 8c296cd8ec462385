import { fwError } from '../../kernel/errors/index.js';
import { currentSources } from '../llms/current-sources.js';
import { projectLlms } from '../llms/index.js';
import { CLIENT_BANNER, clientModule } from './client-module.js';
import { CLIENT_ERRORS } from './errors.js';

/** Default file of the client, relative to the project. */
export const DEFAULT_CLIENT = 'generated/client.ts';

/** The client of a project. */
interface ProjectClient {
  /** Source of the module. */
  readonly text: string;
  /** Number of routes that it has. */
  readonly routes: number;
  readonly notes: readonly string[];
}

/**
 * Makes the client of the routes of a project, as they are on disk.
 * @throws FwError `FW_CODEGEN_NO_CONFIG`, `FW_LLMS_SOURCES`
 */
export async function projectClient(root: string): Promise<ProjectClient> {
  const { entries, facts } = await currentSources(root);
  const { doc, notes } = projectLlms(root, entries, facts);
  return { text: clientModule(doc.title, doc.routes), routes: doc.routes.length, notes };
}

/**
 * Refuses to overwrite a file that a person wrote, because the path may be mistyped.
 * @param present - what the file has; undefined where there is none
 * @throws FwError `FW_CLIENT_FOREIGN_FILE`
 */
export function assertGenerated(file: string, present: string | undefined): void {
  if (present !== undefined && !present.startsWith(CLIENT_BANNER))
    throw fwError(CLIENT_ERRORS.FW_CLIENT_FOREIGN_FILE, { path: file });
}
