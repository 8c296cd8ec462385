import { fwError } from '../../../kernel/errors/index.js';
import { PROJECT_FW } from '../../../kernel/invocation/index.js';
import { ConfigSource } from '../engine/edit-config.js';
import { assertPlugin, readConfig } from '../engine/project.js';
import { booleanFlag, type Schematic } from '../engine/schematic.js';
import { SCHEMATICS_ERRORS } from '../errors.js';

const FOLDER = 'app/migrations';

/** An empty migration in SQL. `fw migrate diff` writes migrations for changed models, because it knows the database. */
export const migrationSchematic: Schematic = {
  kind: 'migration',
  summary: 'an empty SQL migration, up and down; fw migrate diff writes one from the models',
  flags: [booleanFlag('seed', 'a file for rows that the migration adds, too')],
  takesFields: false,
  async run({ names, on }, context) {
    await assertPlugin(context, 'fw/orm', 'A migration', 'orm');
    const { migrationStem } = await import('../../../plugins/orm/migrations/migration-stem.js');
    const folder = new ConfigSource(await readConfig(context)).textOf('migrations') ?? FOLDER;
    const files = await context.list(folder);
    const present = files.find((file) => file.replace(/^\d+_/, '') === `${names.snake}.up.sql`);
    if (present !== undefined) {
      throw fwError(SCHEMATICS_ERRORS.FW_SCHEMATIC_EXISTS, {
        file: `${folder}/${present}`,
        owner: 'has this name',
        remedy: 'Write the statements there, or choose another name.',
      });
    }
    const stem = migrationStem(names.snake, files, new Date());
    for (const [step, comment] of stepsOf(names.words, on('seed'))) {
      const file = `${folder}/${stem}.${step}.sql`;
      await context.write(file, `-- ${comment}\n`);
      context.log(`wrote ${file}`);
    }
    context.log(
      `next: write the statements, then npm run build && ${PROJECT_FW} migrate up; rows are moved in batches by a module (${PROJECT_FW} docs migrations.md#how-to-move-data)`,
    );
  },
};

function stepsOf(words: string, seed: boolean): readonly (readonly [step: string, comment: string])[] {
  return [
    ['up', `${words}: what the migration does`],
    ['down', `${words}: how it is undone`],
    ...(seed ? ([['seed', `${words}: rows that it adds, in the same transaction`]] as const) : []),
  ];
}
