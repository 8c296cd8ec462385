/** A new migration in code, for `fw migrate new --code` and the generator. */
export const CODE_MIGRATION = `import type { MigrationStep, MoveStep } from 'fw/orm/migrations';

/** What changes the schema, in a transaction. */
export const up: MigrationStep = async (_context, tx) => {
  await tx.script('-- what the migration does');
};

/** What moves data, outside of a transaction: context.batches changes many rows batch by batch, and goes on where it was cut off. */
export const move: MoveStep = (_context) => {};

/** How it is undone, in a transaction. */
export const down: MigrationStep = async (_context, tx) => {
  await tx.script('-- how it is undone');
};
`;
