import { Type } from 'typebox';
import { withDefault } from '../../kernel/index.js';
import type { OrmPlugin } from './core/index.js';
import { serverOptions } from './dialect/options.js';

/** Options of the `orm` plugin. */
export const ormOptions = Type.Object({
  driver: Type.Optional(
    Type.String({
      minLength: 1,
      description:
        'Name of a dialect, where no plugin of one is listed. Default: the one that `url` or `file` belongs to. Its driver package must be installed.',
    }),
  ),
  client: Type.Optional(
    Type.String({
      minLength: 1,
      description: 'What the database is reached through, where the dialect leaves a choice of drivers.',
    }),
  ),
  file: Type.Optional(
    Type.String({
      description: 'Path of the database file, relative to the application, or ":memory:"; for `driver`.',
    }),
  ),
  url: Type.Optional(
    Type.String({
      description: 'Address of a server, such as `DATABASE_URL` holds it; for `driver`.',
      secret: true,
    }),
  ),
  schema: Type.Optional(
    Type.Union([Type.Literal('none'), Type.Literal('create-missing'), Type.Literal('sync-dev')], {
      description:
        'What happens to the schema at start: nothing, or missing tables are created from the models, each in the database that its model names. sync-dev also changes tables that are there, as far as nothing can be lost; in the profile prod it is none, in others than dev create-missing. Default create-missing, and none in the profile prod, where migrations decide.',
    }),
  ),
  pendingMigrations: Type.Optional(
    Type.Union([Type.Literal('ignore'), Type.Literal('warn'), Type.Literal('refuse'), Type.Literal('apply')], {
      description:
        'What happens at start when migrations of the folder are not applied: nothing, a warning, the start is refused, or they are applied, one instance after the other. Default where `schema` is none: refuse in the profile prod, warn in dev; else ignore.',
    }),
  ),
  migrationsTable: Type.Optional(
    Type.String({
      minLength: 1,
      description:
        'Table that notes which migrations are applied, in every database. Default schema_migrations, which is also what Rails, Ecto, dbmate and golang-migrate call theirs: name another one beside them.',
    }),
  ),
  drift: Type.Optional(
    Type.Union([Type.Literal('ignore'), Type.Literal('warn')], {
      description:
        'Whether the tables are compared with the models once the application is up, and a warning names what differs. Default warn in the profile dev, else ignore; in prod tables that are missing, and times in a form that no tag says, in a database without a type for them, are warned of all the same, unless this says ignore.',
    }),
  ),
  temporaryDatabase: Type.Optional(
    Type.Boolean({
      description:
        'Whether the start makes a database of its own beside each that is named, `<name>_test_...`, and the stop drops it: for tests, which then share none. The login must be allowed to make databases. Refused in the profile prod.',
    }),
  ),
  validate: withDefault(Type.Boolean({ description: 'Whether rows are validated before they are written.' }), true),
  compiledQueryCacheSize: Type.Optional(
    Type.Integer({ minimum: 1, description: 'Compiled plans kept. Default 2000.' }),
  ),
  defaultTimeout: Type.Optional(Type.Integer({ minimum: 0, description: 'Milliseconds per statement. Default none.' })),
  plugins: Type.Optional(
    Type.Array(Type.Unsafe<OrmPlugin>({ type: 'object' }), {
      description:
        'What runs around every statement of every database, in this order: softDelete(...), tenant(...), metrics(), or your own.',
    }),
  ),
  ...serverOptions.properties,
});
