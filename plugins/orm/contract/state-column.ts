import { ModelInfo, type ColumnDefinition } from '../index.js';
import type { ActualTable } from '../schema/index.js';

class Thing {}

/** A model of one column `state`. */
export const thing = (table: string, ...columns: readonly Partial<ColumnDefinition>[]): ModelInfo =>
  new ModelInfo(Thing, {
    name: 'Thing',
    table,
    columns: columns.map((each) => ({ property: 'state', column: 'state', kind: 'enum', ...each })),
  });

/** Its table, as `introspect` gives it: with a check of this condition, or with none. */
export const tableOf = (sql: string | undefined, type = 'nvarchar(255)'): ActualTable => ({
  name: 'things',
  columns: [{ name: 'state', type, nullable: false, default: null, autoincrement: false, defaultName: undefined, computed: false }], // prettier-ignore
  primaryKey: [],
  indexes: [],
  foreignKeys: [],
  checks: sql === undefined ? [] : [{ name: 'things_state_check', sql }],
  definitions: [{ kind: 'table', name: 'things', sql: `CREATE TABLE things (state TEXT NOT NULL${sql ? `, CONSTRAINT things_state_check CHECK (${sql})` : ''})` }], // prettier-ignore
});
