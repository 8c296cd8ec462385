import { fwError } from '../../../kernel/index.js';
import type { Dialect, ModelInfo } from '../core/index.js';
import { MIGRATION_ERRORS } from '../migrations/errors.js';
import { commentChanges } from './comments.js';
import { behindTargets, namesColumn } from './constraints.js';
import type { ActualTable, ViewClauses } from './introspect.js';
import { bareQuery, sameQuery } from './said-queries.js';
import { bareName } from './names.js';

/** Statements about views. They surround those about tables, because a table cannot change while a view reads it. */
interface ViewChanges {
  readonly before: readonly string[];
  readonly behind: readonly string[];
  /** The undo statements, around those of the tables. */
  readonly undoBefore: readonly string[];
  readonly undoBehind: readonly string[];
  readonly warnings: readonly string[];
}

/** Inputs of the comparison of views. */
export interface ViewSurroundings {
  readonly dialect: Dialect;
  /** Statements about tables, forward and back. */
  readonly statements: readonly string[];
  /** Names of the existing tables. */
  readonly tables: readonly string[];
  /** Whether views without a model are dropped, too. */
  readonly dropOthers: boolean;
  /** Names that are never touched. */
  readonly ignore: ReadonlySet<string>;
  /** Columns whose name is gone behind the change. */
  readonly leaving: readonly LeavingColumn[];
}

/** A column whose name is gone behind a change. */
export interface LeavingColumn {
  readonly table: string;
  readonly column: string;
}

type View = ActualTable & { readonly view: NonNullable<ActualTable['view']> };

/** The views among tables. */
export const viewsAmong = (tables: readonly ActualTable[]): readonly View[] =>
  tables.filter((table): table is View => table.view !== undefined);

/**
 * The statements that change views to match their models. A view that reads a changed column is dropped before the change and created again
 * after it, if the database requires that.
 */
export function viewChanges(
  models: readonly ModelInfo[],
  actual: readonly View[],
  around: ViewSurroundings,
): ViewChanges {
  const { dialect, dropOthers, ignore } = around;
  const present = new Map(actual.map((each) => [each.name, each]));
  const said = models.filter(({ definition }) => typeof definition.view === 'string');
  const known = new Set([...models.map(({ table }) => table), ...ignore]);
  const others = actual.filter(({ name }) => !known.has(name));
  const changed = said.filter((model) => isOther(model, present.get(model.table)));
  const gone = [...(dropOthers ? others : []), ...changed.flatMap(({ table }) => present.get(table) ?? [])];
  const held = dialect.schema.viewsHold ? heldBy(actual, gone, around) : [];
  const own = held.filter(({ name }) => said.some(({ table }) => table === name));
  const dropped = [...viewsInOrder([...gone, ...own.filter((each) => !gone.includes(each))])].reverse();
  const again = new Set([...changed.map(({ table }) => table), ...own.map(({ name }) => name)]);
  const madeAgain = said
    .filter(({ table }) => again.has(table))
    .map((model) => asView(model, present.get(model.table)));
  const made = viewsInOrder(madeAgain);
  const wordsOf = (model: ModelInfo) =>
    commentChanges(model, again.has(model.table) ? undefined : present.get(model.table), dialect).up;
  const dropNew = [...made].reverse().map((each) => dropView(each, dialect));
  return {
    before: dropped.map((each) => dropView(each, dialect)),
    behind: [...made.flatMap((each) => withGrants(each, dialect)), ...models.flatMap(wordsOf)],
    undoBefore: dropNew,
    undoBehind: [...dropped].reverse().flatMap((each) => withGrants(each, dialect)),
    warnings: [
      ...gone.filter((each) => others.includes(each)).map(({ name }) => `the view ${name} is dropped; no model has it`),
      ...models.filter(({ definition: { view }, table }) => view === true && !present.has(table)).map(missing),
      ...changed.flatMap(({ table }) => (present.get(table)?.view.kept ? [keptNoMore(table)] : [])),
      ...held.filter((each) => !own.includes(each) && !gone.includes(each)).map(({ name }) => inTheWay(name)),
      ...(dialect.schema.viewsHold
        ? []
        : leftBehind(
            actual.filter((each) => !dropped.includes(each)),
            around,
          )),
    ],
  };
}

const missing = ({ name, table }: ModelInfo): string =>
  `the view ${table} of ${name} is missing, and its model does not say how to make it: give its query as view in @table`;

const keptNoMore = (name: string): string =>
  `the view ${name} kept its rows (MATERIALIZED), and computes them when they are read from now on; view: true leaves it as it is`;

// The database lets such a view stand, and refuses every query of it.
const leftBehind = (views: readonly View[], { leaving }: ViewSurroundings): readonly string[] =>
  views.flatMap((view) => {
    const read = leaving.filter(({ table, column }) => reads(view, table) && namesColumn(view.view.query, column));
    const names = read.map(({ table, column }) => `${table}.${column}`).join(', ');
    return names === '' ? [] : [`the view ${view.name} reads ${names}, whose name is gone then: it fails from then on; make it anew in the migration`]; // prettier-ignore
  });

const inTheWay = (name: string): string =>
  `the view ${name} reads a column that changes, and the database refuses that while it is there; drop it before, and make it again`;

function isOther({ definition: { view } }: ModelInfo, actual: View | undefined): boolean {
  if (actual === undefined) return true;
  const { query, kept, saidAs = [] } = actual.view;
  return kept || !(sameQuery(query, view as string) || saidAs.includes(view as string));
}

interface Made {
  readonly name: string;
  readonly view: Pick<View['view'], 'query' | 'kept' | 'clauses' | 'grants'>;
}

// No model says whose rights count in a view and who has rights on it: one that is made again keeps them.
const asView = ({ table, definition: { view } }: ModelInfo, former?: View): Made => {
  return { name: table, view: { ...former?.view, query: view as string, kept: false } };
};

const reads = ({ view: { query } }: Made, name: string): boolean => namesColumn(query, bareName(name));

/** Views sorted so that each follows those that it reads. */
export function viewsInOrder<View extends Made>(views: readonly View[]): readonly View[] {
  return behindTargets(
    views,
    ({ name }) => name,
    (view) => views.filter((other) => other !== view && reads(view, other.name)).map(({ name }) => name),
  );
}

// Views that read a changed column, and views that read those.
function heldBy(
  actual: readonly View[],
  gone: readonly View[],
  { dialect: { compiler, schema }, statements, tables }: ViewSurroundings,
): readonly View[] {
  const changes = statements.filter((sql) => schema.viewsHold?.(sql));
  const touched = tables.filter((name) =>
    changes.some((sql) => sql.startsWith(`ALTER TABLE ${compiler.quote(name)} `)),
  );
  const held = new Set(actual.filter((view) => gone.includes(view) || touched.some((name) => reads(view, name))));
  for (let before = -1; before < held.size;) {
    before = held.size;
    for (const view of actual) if ([...held].some(({ name }) => reads(view, name))) held.add(view);
  }
  return [...held];
}

/** `CREATE VIEW ... AS ...`. */
export function createView({ name, view: { query, kept, clauses } }: Made, { compiler }: Dialect): string {
  const { beforeView, behindName, behindQuery } = clauses ?? NO_CLAUSES;
  const create = `CREATE ${kept ? 'MATERIALIZED ' : ''}${beforeView}VIEW ${compiler.quote(name)}${behindName}`;
  return `${create} AS ${bareQuery(query)}${behindQuery}`;
}

const withGrants = (made: Made, dialect: Dialect): readonly string[] => [
  createView(made, dialect),
  ...(made.view.grants ?? []),
];

const NO_CLAUSES: ViewClauses = { beforeView: '', behindName: '', behindQuery: '' };

const dropView = ({ name, view: { kept } }: Made, { compiler }: Dialect): string =>
  `DROP ${kept ? 'MATERIALIZED ' : ''}VIEW ${compiler.quote(name)}`;

/** The views of models with a query, in the order of creation. */
export const saidViews = (models: readonly ModelInfo[]): readonly Made[] =>
  viewsInOrder(models.filter(({ definition }) => typeof definition.view === 'string').map((model) => asView(model)));

/** @throws FwError `FW_MIGRATE_VIEW` where a table stands in the place of a view, or a view in that of a table */
export function assertKinds(models: readonly ModelInfo[], actual: readonly ActualTable[]): void {
  const present = new Map(actual.map((table) => [table.name, table]));
  for (const { name, table, isView } of models) {
    const found = present.get(table);
    if (found === undefined || isView === (found.view !== undefined)) continue;
    const [is, wanted] = isView ? ['table', 'view'] : ['view', 'table'];
    throw fwError(MIGRATION_ERRORS.FW_MIGRATE_VIEW, { model: name, table, is, wanted });
  }
}
