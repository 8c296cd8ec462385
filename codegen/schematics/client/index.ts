import { CLIENT_BANNER, clientModule } from '../../client/client-module.js';
import { CLIENT_ERRORS } from '../../client/errors.js';
import { currentSources } from '../../llms/current-sources.js';
import { projectLlms } from '../../llms/index.js';
import { fwError } from '../../../kernel/errors/index.js';
import { DEFAULT_CLIENT } from '../../client/client-command.js';
import { assertParses } from '../engine/canonical.js';
import { type Schematic, textFlag } from '../engine/schematic.js';

/** The typed client of the project's routes, as they are on disk; `fw generate client` on the command line can check it, too. */
export const clientSchematic: Schematic = {
  kind: 'client',
  summary: 'a TypeScript client whose calls have the types of the routes; takes no name',
  flags: [textFlag('out', `file to write; default ${DEFAULT_CLIENT}`)],
  takesFields: false,
  takesName: false,
  async run({ text }, context) {
    const file = text('out') || DEFAULT_CLIENT;
    const { entries, facts } = await currentSources(context.root);
    const { doc, notes } = projectLlms(context.root, entries, facts);
    const source = clientModule(doc.title, doc.routes);
    const present = await context.read(file);
    // A mistyped path must not overwrite a file that a person wrote.
    if (present !== undefined && !present.startsWith(CLIENT_BANNER))
      throw fwError(CLIENT_ERRORS.FW_CLIENT_FOREIGN_FILE, { path: file });
    for (const note of notes) context.log(`note: ${note}`);
    if (present === source) return context.log(`${file} is up to date (${doc.routes.length} routes)`);
    assertParses(file, source);
    await context.write(file, source);
    context.log(`wrote ${file} (${doc.routes.length} routes)`);
  },
};
