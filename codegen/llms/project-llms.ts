import path from 'node:path';
import { type LLMSDoc, LLMS_FULL, LLMS_INDEX, packageName, renderFull, renderIndex } from '../../plugins/docs/index.js';
import type { RouteEntry } from '../routes/index.js';
import { documentedEntries } from './documented-entries.js';
import type { ReferenceFacts } from './reference-facts.js';

const DEFAULT_TITLE = 'fw API';
const DEFAULT_VERSION = '1.0.0';

/** The two llms files of a project, made without running it. */
export interface ProjectLlms {
  readonly doc: LLMSDoc;
  /** Absolute folder that they belong in. */
  readonly folder: string;
  /** Text by file name. */
  readonly files: Readonly<Record<string, string>>;
  /** A sentence for each fact that is known only at run time. */
  readonly notes: readonly string[];
}

/**
 * Makes the llms files of a project from what `fw codegen` read, by the renderer that serves them in the running application.
 *
 * @param root - project folder
 * @param entries - of `generated/routes.json`
 * @param facts - of `generated/reference.json`
 */
export function projectLlms(root: string, entries: readonly RouteEntry[], facts: ReferenceFacts): ProjectLlms {
  const { title = DEFAULT_TITLE, version = DEFAULT_VERSION, description = '', llmsDir = '.' } = facts.docs;
  const { routes, notes } = documentedEntries(entries);
  const doc: LLMSDoc = { title, version, description, package: packageName(root), routes, models: facts.models };
  return {
    doc,
    folder: path.resolve(root, llmsDir),
    files: { [LLMS_INDEX]: renderIndex(doc), [LLMS_FULL]: renderFull(doc) },
    notes: [
      ...facts.unresolved.map(
        ({ what, file, line, reason }) =>
          `${what} of the docs plugin is only known at run time (${file}:${line}: ${reason})`,
      ),
      ...notes,
    ],
  };
}
