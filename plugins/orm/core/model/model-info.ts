import { fwError, type FwError } from '../../../../kernel/index.js';
import { checkedDefault } from './default-value.js';
import { declaredName } from './identifiers.js';
import { acceptorOf, checkerOf, expectationOf, refusedInWords, typeInWords, UNSAID, type ColumnKind } from './kinds.js';
import { kindForm, temporalValue } from './temporal.js';
import { ORM_ERRORS } from '../errors.js';
import { hideProperty } from './hidden-properties.js';
import {
  HOOK_NAMES,
  type ColumnDefinition,
  type HookName,
  type ModelClass,
  type ModelDefinition,
  type RelationDefinition,
} from './model-definition.js';
import { enumProblem } from './enum-form.js';
import { filledProblem } from './filled-time.js';
import { generatedProblem } from './generated-column.js';
import { versionProblem } from './row-version.js';
import { formatProblem } from './time-format.js';
import { inheritedProblem } from './inherited-property.js';
import { indexProblems } from './table-indexes.js';

/** An index that `@table` gives a model, with its columns. */
export interface ModelIndex {
  readonly columns: readonly ColumnInfo[];
  /** Parts behind the columns, as SQL. */
  readonly expressions: readonly string[];
  readonly where: string | undefined;
  readonly using: string | undefined;
  readonly unique: boolean;
  /** Columns beside those that it is ordered by. */
  readonly include: readonly ColumnInfo[];
  readonly nullsNotDistinct: boolean;
  readonly name: string | undefined;
}

/** A column of a model, ready for use: checked, with its place in the row. */
export class ColumnInfo {
  readonly property: string;
  readonly name: string;
  readonly kind: ColumnKind;
  readonly nullable: boolean;
  readonly primaryKey: boolean;
  readonly autoincrement: boolean;
  readonly generated: boolean;
  /** Whether no row is sent with it: it is private or write-only. */
  readonly hidden: boolean;
  /** Steps of query shapes that mention this column; see `plan/steps.ts`. */
  readonly steps = new Map<string, object>();
  /** Returns the value if it is null or valid for the column, in one call for common kinds. */
  readonly checkedOrNull: (value: unknown) => unknown;
  readonly #accepts: (value: unknown) => boolean;

  constructor(
    readonly model: ModelInfo,
    readonly index: number,
    readonly definition: ColumnDefinition,
  ) {
    this.property = definition.property;
    this.name = declaredName(definition.column);
    this.kind = definition.kind;
    this.primaryKey = definition.primaryKey ?? false;
    this.nullable = definition.nullable ?? false;
    this.autoincrement = definition.autoincrement ?? false;
    this.generated = definition.generated ?? definition.expression !== undefined;
    this.hidden = definition.json === '-' || definition.writeOnly === true;
    checkedDefault(model.name, definition);
    const problem =
      inheritedProblem(definition) ??
      enumProblem(definition) ??
      formatProblem(definition) ??
      filledProblem(definition) ??
      generatedProblem(definition) ??
      versionProblem(definition);
    if (problem !== undefined)
      throw fwError(ORM_ERRORS.FW_ORM_MODEL, { model: model.name, problem: `${this.property}: ${problem}` });
    this.#accepts = acceptorOf(definition);
    const refuse = (value: unknown) => (value === null ? null : this.checked(value));
    this.checkedOrNull = (definition.values ? undefined : checkerOf(this.kind, refuse)) ?? refuse;
  }

  /** Whether INSERT may leave the column out. */
  get optionalOnInsert(): boolean {
    return this.autoincrement || this.generated || this.nullable || this.definition.default !== undefined;
  }

  /**
   * Returns the value if it is valid for the column, in the form of its kind: a value of Temporal as the codec of the kind takes it.
   *
   * @throws FwError `FW_ORM_VALUE`
   */
  checked(value: unknown): unknown {
    if (this.#accepts(value)) return this.definition.temporal === undefined ? value : kindForm(value)?.form;
    throw fwError(ORM_ERRORS.FW_ORM_VALUE, {
      model: this.model.name,
      field: this.property,
      expected: expectationOf(this.definition),
      got: this.hidden ? UNSAID : refusedInWords(value, this.definition),
    });
  }
}

/** A moment as a column's values are: a Date, or a value of the class of Temporal that the column is of. */
export function momentFor({ definition: { temporal } }: ColumnInfo, date: Date): Date | object {
  return (temporal && temporalValue(temporal, date)) ?? date;
}

/** A model, ready for use. One per class, shared by all databases. */
export class ModelInfo<Model extends object = object> {
  readonly name: string;
  readonly table: string;
  readonly columns: readonly ColumnInfo[];
  /** Columns of whole rows: all except write-only ones. */
  readonly readable: readonly ColumnInfo[];
  readonly primaryKey: readonly ColumnInfo[];
  /** Columns that a row has values for: all but those that the database fills by itself. */
  readonly insertable: readonly ColumnInfo[];
  readonly notInsertable: readonly ColumnInfo[];
  /** Columns that the database counts. */
  readonly counted: readonly ColumnInfo[];
  /** Those of an INSERT that keeps the keys of its rows. */
  readonly insertableWithKeys: readonly ColumnInfo[];
  readonly updatable: readonly ColumnInfo[];
  /** Columns that a new row has the present time in, where it says nothing (`filled=create`, `filled=update`). */
  readonly timed: readonly ColumnInfo[];
  /** Those of them that each update writes anew (`filled=update`). */
  readonly touched: readonly ColumnInfo[];
  /** Column that counts the changes of a row (`version`). */
  readonly version: ColumnInfo | undefined;
  readonly relations: ReadonlyMap<string, RelationDefinition>;
  /** Indexes that `@table` asks for; those of the tags stand with their columns. */
  readonly indexes: readonly ModelIndex[];
  readonly hooks: ReadonlySet<HookName>;
  /** Whether it is a view: its rows are only read. */
  readonly isView: boolean;
  /** Whether any column holds 64-bit integers, which drivers must then read without loss. */
  readonly hasBigints: boolean;
  readonly #byName: ReadonlyMap<string, ColumnInfo>;
  #uniqueKeys: readonly (readonly ColumnInfo[])[] | undefined;
  #initialised: readonly ColumnInfo[] | undefined;
  #exposed: readonly string[] | undefined;

  constructor(
    readonly target: ModelClass<Model>,
    readonly definition: ModelDefinition<Model>,
  ) {
    this.name = definition.name;
    this.table = declaredName(definition.table);
    this.columns = definition.columns.map(
      (column, index) => new ColumnInfo(this as unknown as ModelInfo, index, column),
    );
    for (const { hidden, property } of this.columns) if (hidden) hideProperty(target.prototype as object, property);
    this.readable = this.columns.filter(({ definition: { writeOnly } }) => !writeOnly);
    this.#byName = byName(this.name, this.columns);
    this.isView = definition.view !== undefined;
    this.primaryKey = definition.derived ? [] : primaryKeyOf(definition, this.columns);
    this.insertable = this.columns.filter((column) => !column.autoincrement && !column.generated);
    this.counted = this.columns.filter((column) => column.autoincrement);
    this.insertableWithKeys = this.columns.filter((column) => !column.generated);
    this.notInsertable = this.readable.filter((column) => !this.insertable.includes(column));
    this.updatable = this.columns.filter((column) => !column.primaryKey && !column.autoincrement && !column.generated);
    this.timed = this.columns.filter(({ definition: { filledOn } }) => filledOn !== undefined);
    this.touched = this.timed.filter(({ definition: { filledOn } }) => filledOn === 'update');
    this.version = versionOf(this.name, this.columns);
    this.relations = new Map((definition.relations ?? []).map((relation) => [relation.property, relation]));
    this.indexes = indexesOf(this.name, definition, this.columns);
    this.hooks = new Set(HOOK_NAMES.filter((hook) => hook in (target.prototype as object)));
    this.hasBigints = this.readable.some((column) => column.kind === 'bigint');
  }

  /** Columns with a value in a new instance of the class (`active = true`); determined once, on first use. */
  get initialised(): readonly ColumnInfo[] {
    return (this.#initialised ??= initialisedOf(this.target, this.columns));
  }

  /** Columns of each key that rows are told apart by: the primary one, and the unique indexes of columns, also those of some rows. */
  get uniqueKeys(): readonly (readonly ColumnInfo[])[] {
    return (this.#uniqueKeys ??= uniqueKeysOf(this));
  }

  /** Hidden properties that each instance of the class defines anew, where they would be seen (`useDefineForClassFields`). */
  get exposed(): readonly string[] {
    return (this.#exposed ??= exposedOf(this.target, this.columns));
  }

  /** The column of that name (or property), or undefined. */
  find(name: string): ColumnInfo | undefined {
    return this.#byName.get(name);
  }

  /**
   * The column of that name (or property).
   *
   * @throws FwError `FW_ORM_UNKNOWN_COLUMN` listing the known ones
   */
  column(name: string): ColumnInfo {
    const found = this.#byName.get(name);
    if (found) return found;
    throw this.unknownColumn(name);
  }

  /** The error for a name that is no column. */
  unknownColumn(name: unknown): FwError {
    const known = this.columns.map((each) => each.name);
    const column = typeof name === 'string' ? name.slice(0, 80) : typeInWords(name);
    return fwError(ORM_ERRORS.FW_ORM_UNKNOWN_COLUMN, { model: this.name, column, known });
  }

  /** Values of all columns of a row, in column order. */
  valuesOf(row: object): unknown[] {
    if (this.definition.values) return this.definition.values(row as Model);
    return this.columns.map((column) => (row as Record<string, unknown>)[column.property]);
  }
}

function byName(model: string, columns: readonly ColumnInfo[]): ReadonlyMap<string, ColumnInfo> {
  const names = new Map(columns.map((column) => [column.name, column]));
  if (names.size < columns.length) {
    const twice = columns.find((column, index) => columns.findIndex(({ name }) => name === column.name) !== index);
    throw fwError(ORM_ERRORS.FW_ORM_MODEL, { model, problem: `two properties have the column "${twice?.name}"` });
  }
  // A column name wins over a property of the same spelling.
  for (const column of columns) if (!names.has(column.property)) names.set(column.property, column);
  return names;
}

function indexesOf(
  model: string,
  { indexes = [] }: Pick<ModelDefinition, 'indexes'>,
  columns: readonly ColumnInfo[],
): readonly ModelIndex[] {
  const byProperty = new Map(columns.map((column) => [column.property, column]));
  for (const problem of indexProblems(indexes, [...byProperty.keys()]))
    throw fwError(ORM_ERRORS.FW_ORM_MODEL, { model, problem });
  const infos = (properties: readonly string[] = []) => properties.map((one) => byProperty.get(one) as ColumnInfo);
  return indexes.map(({ expressions = [], where, using, unique = false, nullsNotDistinct = false, name, ...more }) => {
    const [covered, include] = [infos(more.columns), infos(more.include)];
    return { columns: covered, expressions, where, using, unique, include, nullsNotDistinct, name };
  });
}

function versionOf(model: string, columns: readonly ColumnInfo[]): ColumnInfo | undefined {
  const [version, other] = columns.filter(({ definition }) => definition.version);
  if (other === undefined) return version;
  const problem = `${other.property}: a row has one version, and "${version?.property}" is it already`;
  throw fwError(ORM_ERRORS.FW_ORM_MODEL, { model, problem });
}

function uniqueKeysOf({
  primaryKey,
  columns,
  indexes,
}: Pick<ModelInfo, 'primaryKey' | 'columns' | 'indexes'>): readonly (readonly ColumnInfo[])[] {
  const tagged = columns.filter(({ definition }) => definition.unique).map((column) => [column]);
  const ofTable = indexes.filter(({ unique, expressions }) => unique && expressions.length === 0);
  return [primaryKey, ...tagged, ...ofTable.map((index) => index.columns)].filter((key) => key.length > 0);
}

function initialisedOf(target: ModelClass, columns: readonly ColumnInfo[]): readonly ColumnInfo[] {
  const made = new target() as Record<string, unknown>;
  return columns.filter(({ property }) => made[property] !== undefined);
}

function exposedOf(target: ModelClass, columns: readonly ColumnInfo[]): readonly string[] {
  const hidden = columns.filter((column) => column.hidden);
  if (hidden.length === 0) return [];
  const made = new target();
  return hidden.map(({ property }) => property).filter((property) => Object.hasOwn(made, property));
}

function primaryKeyOf(
  { name: model, primaryKey = true }: Pick<ModelDefinition, 'name' | 'primaryKey'>,
  columns: readonly ColumnInfo[],
): readonly ColumnInfo[] {
  const declared = columns.filter((column) => column.primaryKey);
  if (!primaryKey && declared.length > 0) {
    const problem = `${declared[0]?.property} is said to be the primary key, and @table to have none`;
    throw fwError(ORM_ERRORS.FW_ORM_MODEL, { model, problem });
  }
  if (!primaryKey) return [];
  return declared.length > 0 ? declared : columns.filter((column) => column.name === 'id');
}
