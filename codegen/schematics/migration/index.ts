import { fwError } from '../../../kernel/errors/index.js';
import { PROJECT_FW } from '../../../kernel/invocation/index.js';
import { ConfigSource } from '../engine/edit-config.js';
import { assertPlugin, readConfig } from '../engine/project.js';
import { booleanFlag, type Schematic } from '../engine/schematic.js';
import { SCHEMATICS_ERRORS } from '../errors.js';

const FOLDER = 'app/migrations';

/** An empty migration, in SQL or in code. `fw migrate diff` writes migrations for changed models, because it knows the database. */
export const migrationSchematic: Schematic = {
  kind: 'migration',
  summary: 'an empty migration, up and down; fw migrate diff writes one from the models',
  flags: [
    booleanFlag('seed', 'a file for rows that the migration adds, too'),
    booleanFlag('code', 'a module in TypeScript, which can move rows in batches, in place of SQL'),
  ],
  takesFields: false,
  async run({ names, on }, context) {
    await assertPlugin(context, 'fw/orm', 'A migration', 'orm');
    if (on('seed') && on('code')) {
      const problem = 'a module exports its seed itself';
      throw fwError(SCHEMATICS_ERRORS.FW_SCHEMATIC_FLAG, { flag: '--seed', what: 'migration with --code', problem });
    }
    const { migrationStem } = await import('../../../plugins/orm/migrations/migration-stem.js');
    const folder = new ConfigSource(await readConfig(context)).textOf('migrations') ?? FOLDER;
    const files = await context.list(folder);
    const present = files.find((file) =>
      [`${names.snake}.up.sql`, `${names.snake}.ts`].includes(file.replace(/^\d+_/, '')),
    );
    if (present !== undefined) {
      throw fwError(SCHEMATICS_ERRORS.FW_SCHEMATIC_EXISTS, {
        file: `${folder}/${present}`,
        owner: 'has this name',
        remedy: 'Write the statements there, or choose another name.',
      });
    }
    const stem = migrationStem(names.snake, files, new Date());
    const { CODE_MIGRATION } = await import('../../../plugins/orm/migrations/code-migration.js');
    const written = on('code')
      ? [[`${folder}/${stem}.ts`, CODE_MIGRATION] as const]
      : stepsOf(names.words, on('seed')).map(
          ([step, comment]) => [`${folder}/${stem}.${step}.sql`, `-- ${comment}\n`] as const,
        );
    for (const [file, text] of written) {
      await context.write(file, text);
      context.log(`wrote ${file}`);
    }
    context.log(
      `next: ${on('code') ? 'write its steps, and leave out those that it does not need' : 'write the statements'}, then npm run build && ${PROJECT_FW} migrate up${
        on('code') ? '' : '; the flag code makes a module that moves rows in batches'
      } (docs/guides/migrations.md#how-to-move-data)`,
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
