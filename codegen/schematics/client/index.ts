import { assertGenerated, DEFAULT_CLIENT, projectClient } from '../../client/project-client.js';
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
    const { text: source, routes, notes } = await projectClient(context.root);
    const present = await context.read(file);
    assertGenerated(file, present);
    for (const note of notes) context.log(`note: ${note}`);
    if (present === source) return context.log(`${file} is up to date (${routes} routes)`);
    assertParses(file, source);
    await context.write(file, source);
    context.log(`wrote ${file} (${routes} routes)`);
  },
};
