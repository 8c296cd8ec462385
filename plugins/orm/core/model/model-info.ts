import { fwError, type FwError } from '../../../../kernel/index.js';
import { checkedDefault } from '../dialect/default-value.js';
import { identifier } from '../dialect/identifiers.js';
import { acceptorOf, checkerOf, expectationOf, refusedInWords, type ColumnKind } from '../dialect/kinds.js';
import { ORM_ERRORS } from '../errors.js';
import {
  HOOK_NAMES,
  type ColumnDefinition,
  type HookName,
  type ModelClass,
  type ModelDefinition,
  type RelationDefinition,
} from './model-definition.js';
import { indexProblems } from './table-indexes.js';

/** An index that `@table` gives a model, with its columns. */
export interface ModelIndex {
  readonly columns: readonly ColumnInfo[];
  readonly unique: boolean;
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
  /** Steps of query shapes that mention this column; see `plan/steps.ts`. */
  readonly steps = new Map<string, object>();
  /** The value itself, when it is null or the column takes it. One call for what most columns hold. */
  readonly checkedOrNull: (value: unknown) => unknown;
  readonly #accepts: (value: unknown) => boolean;

  constructor(
    readonly model: ModelInfo,
    readonly index: number,
    readonly definition: ColumnDefinition,
  ) {
    this.property = definition.property;
    this.name = identifier(definition.column);
    this.kind = definition.kind;
    this.primaryKey = definition.primaryKey ?? false;
    this.nullable = definition.nullable ?? false;
    this.autoincrement = definition.autoincrement ?? false;
    this.generated = definition.generated ?? false;
    checkedDefault(model.name, definition);
    this.#accepts = acceptorOf(definition);
    const refuse = (value: unknown) => (value === null ? null : this.checked(value));
    this.checkedOrNull = (definition.values ? undefined : checkerOf(this.kind, refuse)) ?? refuse;
  }

  /** Whether INSERT may leave the column out. */
  get optionalOnInsert(): boolean {
    return this.autoincrement || this.generated || this.nullable || this.definition.default !== undefined;
  }

  /**
   * The value itself, when the column takes it.
   *
   * @throws FwError `FW_ORM_VALUE`
   */
  checked(value: unknown): unknown {
    if (this.#accepts(value)) return value;
    throw fwError(ORM_ERRORS.FW_ORM_VALUE, {
      model: this.model.name,
      field: this.property,
      expected: expectationOf(this.definition),
      got: refusedInWords(value, this.definition),
    });
  }
}

/** A model, ready for use. One per class, shared by all databases. */
export class ModelInfo<Model extends object = object> {
  readonly name: string;
  readonly table: string;
  readonly columns: readonly ColumnInfo[];
  readonly primaryKey: readonly ColumnInfo[];
  /** Columns that a row has values for: all but those that the database fills by itself. */
  readonly insertable: readonly ColumnInfo[];
  readonly notInsertable: readonly ColumnInfo[];
  readonly updatable: readonly ColumnInfo[];
  readonly relations: ReadonlyMap<string, RelationDefinition>;
  /** Indexes that `@table` asks for; those of the tags stand with their columns. */
  readonly indexes: readonly ModelIndex[];
  readonly hooks: ReadonlySet<HookName>;
  /** Whether any column holds 64-bit integers, which drivers must then read without loss. */
  readonly hasBigints: boolean;
  readonly #byName: ReadonlyMap<string, ColumnInfo>;
  #initialised: readonly ColumnInfo[] | undefined;

  constructor(
    readonly target: ModelClass<Model>,
    readonly definition: ModelDefinition<Model>,
  ) {
    this.name = definition.name;
    this.table = identifier(definition.table);
    this.columns = definition.columns.map(
      (column, index) => new ColumnInfo(this as unknown as ModelInfo, index, column),
    );
    this.#byName = byName(this.name, this.columns);
    this.primaryKey = primaryKeyOf(this.columns);
    this.insertable = this.columns.filter((column) => !column.autoincrement && !column.generated);
    this.notInsertable = this.columns.filter((column) => !this.insertable.includes(column));
    this.updatable = this.columns.filter((column) => !column.primaryKey && !column.autoincrement && !column.generated);
    this.relations = new Map((definition.relations ?? []).map((relation) => [relation.property, relation]));
    this.indexes = indexesOf(this.name, definition, this.columns);
    this.hooks = new Set(HOOK_NAMES.filter((hook) => hook in (target.prototype as object)));
    this.hasBigints = this.columns.some((column) => column.kind === 'bigint');
  }

  /** Columns that a new instance of the class has values in by itself (`active = true`); found out once, when first asked for. */
  get initialised(): readonly ColumnInfo[] {
    return (this.#initialised ??= initialisedOf(this.target, this.columns));
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
    const known = this.columns.map((column) => column.name);
    return fwError(ORM_ERRORS.FW_ORM_UNKNOWN_COLUMN, { model: this.name, column: String(name).slice(0, 80), known });
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
  return indexes.map(({ columns: properties, unique = false, name }) => {
    return { columns: properties.map((property) => byProperty.get(property) as ColumnInfo), unique, name };
  });
}

function initialisedOf(target: ModelClass, columns: readonly ColumnInfo[]): readonly ColumnInfo[] {
  const made = new target() as Record<string, unknown>;
  return columns.filter(({ property }) => made[property] !== undefined);
}

function primaryKeyOf(columns: readonly ColumnInfo[]): readonly ColumnInfo[] {
  const declared = columns.filter((column) => column.primaryKey);
  return declared.length > 0 ? declared : columns.filter((column) => column.name === 'id');
}
