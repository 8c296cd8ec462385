/** The ORM without any driver. */
export { assertBoolean, assertMilliseconds, assertWhole } from './session/checked-options.js';
export { characterCount, columnLimit, int32, type ColumnLimit } from './dialect/column-limits.js';
export {
  checkedDefault,
  defaultWriter,
  quotedText,
  readDefault,
  type DefaultValue,
  type DefaultWords,
} from './model/default-value.js';
export { takeValues, type ValuesInErrors } from './dialect/driver-error.js';
export { driverMissing } from './dialect/driver-missing.js';
export { isNumeric, numericKind, quotedLetters } from './dialect/enum-values.js';
export { decimalText, exactNumber, isNumberText } from './model/number-text.js';
export {
  anyValue,
  dateOfYears,
  dayForMoment,
  decimalOfDigits,
  finiteNumber,
  unreadable,
  valueRefusal,
} from './model/kinds.js';
export { COLUMN_KINDS, type Codecs, type ColumnKind, type KindCodec } from './model/kinds.js';
export type { Decimal, Float, Int, Interval, Json, PlainDate, PlainTime, Text, Uuid } from './model/kinds.js';
export {
  hasTemporal,
  isTemporalClass,
  temporalMissing,
  temporalName,
  TEMPORAL_KINDS,
  type TemporalClass,
  type TemporalValue,
} from './model/temporal.js';
export type { DialectCapabilities } from './dialect/capabilities.js';
export type { BatchForm, Dialect, DialectTelemetry } from './dialect/dialect.js';
export { jsonArrays, mapElements } from './dialect/json-arrays.js';
export { jsonText, jsonValue } from './dialect/json-text.js';
export { cutDigits, finerDigits, heldAs, keepFiner } from './model/finer-time.js';
export { declaredName, identifier, isIdentifier, nameParts, nameText } from './model/identifiers.js';
export { isoYear, isSpecialDay, yearOfDay } from './model/plain-date.js';
export {
  formatProblem,
  readTimeFormat,
  TIME_FORMATS,
  timeFormatText,
  type NumberTime,
  type TextTime,
  type TimeFormat,
} from './model/time-format.js';
export { isoText, timeOfIsoText, timeOfText } from './model/iso-text.js';
export type {
  AdvisoryLock,
  CellTexts,
  ColumnState,
  EnumTypes,
  HeldTimes,
  Introspection,
  IndexDefinition,
  KeptColumn,
  KeptDefinition,
  MomentWords,
  KeyClauses,
  NativeType,
  SchemaDialect,
  ScriptStatement,
  SessionLock,
  TimePlace,
  RemadeTable,
  TableReplacement,
  UncheckedConstraint,
} from './dialect/schema-dialect.js';
export { isTaken } from './dialect/taken-statement.js';
export { kindsOf } from './dialect/schema-dialect.js';
export { BarredScope, EXCLUDED, Scope, UpsertScope } from './dialect/scope.js';
export {
  dollarPath,
  eachWord,
  infix,
  named,
  isJsonNumber,
  isJsonText,
  ofFraction,
  standardFunctions,
  whereJsonIs,
  whereNumber,
  type FunctionOperand,
  type FunctionSql,
  type FunctionTable,
} from './dialect/functions.js';
export type { SelectedValue } from './dialect/selected-values.js';
export { joinedWhere, overwrites, partialKey, SqlCompiler } from './dialect/sql-compiler.js';
export { SqlWriter, checkedBinder, columnBinder, type Statement } from './dialect/sql-writer.js';
export type { Binder } from './plan/plan.js';
export { ORM_ERRORS } from './errors.js';
export { avg, count, max, min, sum } from './expression/aggregates.js';
export {
  arrayContained,
  arrayContains,
  arrayHas,
  arrayOverlaps,
  type ArrayElement,
  type ArrayElements,
} from './expression/arrays.js';
export { percentileCont, percentileDisc } from './expression/percentiles.js';
export { abs, add, ceil, divide, floor, modulo, multiply, subtract, toDouble } from './expression/arithmetic.js';
export { Assignment, type PlainAssignment } from './expression/assignment.js';
export { cast, type CastTypes } from './expression/cast.js';
export { caseWhen, Choice, coalesce, holds, nullIf } from './expression/choice.js';
export { PlainValue, value, type Plain } from './expression/plain-value.js';
export { Column, type Comparand } from './expression/column.js';
export { and, not, or, raw, RawExpression } from './expression/conditions.js';
export type { Condition, Expression, Predicate } from './expression/expression.js';
export type { Filter } from './expression/filter.js';
export {
  jsonAgg,
  jsonObject,
  jsonObjectAgg,
  type InJson,
  type JsonListOf,
  type JsonObjectOf,
} from './expression/json-build.js';
export { jsonAt, jsonBoolean, jsonNumber, jsonString, type JsonStep } from './expression/json-path.js';
export type { FromOf, Typed, ValueOf, ValueSource } from './expression/operand.js';
export * from './expression/operators.js';
export { escapeLike } from './expression/like-pattern.js';
export { OrderExpression, type OrderTerm } from './expression/order.js';
export { Aggregate, Expr, Selection, countAll, selectExpr, type SelectExpr } from './expression/selection.js';
export { cte, Derived, derived, recursive, type DerivedColumns, type Rows } from './expression/derived.js';
export { scalar } from './expression/scalar.js';
export { Subselect, exists, notExists } from './expression/subquery.js';
export { stringAgg, type TextListOf } from './expression/text-list.js';
export { collate, concat, lower, replace, substring, textLength, trim, upper } from './expression/text.js';
export { dateAdd, datePart, dateTrunc } from './expression/times.js';
export { temporalFrom } from './expression/temporal-from.js';
export { tuple, Tuple } from './expression/tuple.js';
export { denseRank, lag, lead, over, rank, rowNumber, WindowFunction, type Window } from './expression/windows.js';
export { ValueExpression, ValueOrder, ValueSelection, type ValueOperand } from './expression/value.js';
export { columnOf, type GeneratedModel } from './generated-model.js';
export {
  belongsTo,
  db,
  hasMany,
  hasOne,
  json,
  manyToMany,
  table,
  validate,
  type TableOptions,
} from './model/decorators.js';
export {
  HOOK_NAMES,
  type BelongsToOptions,
  type ColumnDefinition,
  type Decoders,
  type EnumForm,
  type EnumValue,
  type HookName,
  type ManyToManyOptions,
  type ModelClass,
  type ModelDefinition,
  type PositionalRow,
  type ReferentialAction,
  type RelationDefinition,
  type RelationKind,
  type RelationOptions,
  type RowScanner,
  type TableIndex,
} from './model/model-definition.js';
export { enumProblem } from './model/enum-form.js';
export { generatedProblem } from './model/generated-column.js';
export { filledProblem, type FilledOn } from './model/filled-time.js';
export { inheritedProblem, isInherited } from './model/inherited-property.js';
export { versionProblem } from './model/row-version.js';
export { indexProblems, LONGEST_GIVEN_NAME, LONGEST_INDEX_NAME } from './model/table-indexes.js';
export { databasesOf, DEFAULT_DATABASE, modelOfTable } from './model/model-databases.js';
export { modelFacts, type RelationFacts } from './model/model-facts.js';
export { ColumnInfo, ModelInfo, momentFor, type ModelIndex } from './model/model-info.js';
export { rowReader, type RowReader } from './plan/row-scanners.js';
export { limitReads, limitTables, limitWrite, type TableTests } from './plan/limit-tables.js';
export { isModelClass } from './model/declarations.js';
export { modelInfoOf, modelInfosOf, registerModel, registeredModels } from './model/model-registry.js';
export { camelCase, kebabCase, plural, singular, snakeCase, tableNameOf } from './model/naming.js';
export { onOneLine, stringLiteral } from './model/string-literal.js';
export type {
  BelongsTo,
  CheckedPath,
  ColumnKey,
  Declared,
  HasMany,
  HasOne,
  KeyedRow,
  Linked,
  LinkKey,
  ManyToMany,
  NewRow,
  PartialRow,
  RelationKey,
  Row,
  WithRelation,
  Writable,
  countedKeys,
  primaryKeys,
  tableName,
  viewRows,
  newRow,
  writeOnlyKeys,
} from './model/relation-types.js';
export {
  isOption,
  parseDbTag,
  parseJsonTag,
  parseValidateTag,
  type DbTag,
  type JsonTag,
  type TagPlace,
  type ValidationRule,
} from './model/tag-grammar.js';
export type * from './plan/logical.js';
export type { OptimizerPass } from './plan/optimizer.js';
export type {
  AggregatePart,
  ColumnTarget,
  ComparisonOp,
  FunctionName,
  JoinKind,
  LockMode,
  NullsOrder,
  SetOp,
  SubqueryOp,
  TimePart,
  TimeSpan,
  TimeUnit,
  ValueType,
  WindowName,
} from './plan/parts.js';
export { COMPARISONS, ISOLATION_LEVELS, TIME_PARTS, TIME_SPANS, TIME_UNITS, Words } from './plan/words.js';
export { defaultPasses } from './plan/passes/index.js';
export { NoopPlugin, type OrmPlugin, type QueryContext } from './session/orm-plugin.js';
export type { Batch } from './query/create-batch.js';
export { MAX_BULK_INSERT_ROWS } from './query/create-batch.js';
export {
  withBatchPreload,
  withPreloadLimit,
  withPreloadOrder,
  withPreloadWhere,
  type PreloadOptions,
} from './preload/preload-options.js';
export { ROW_HOOKS, type HookContext } from './query/hooks.js';
export { relationOf, type ResolvedRelation } from './model/relations.js';
export {
  assertEnds,
  joinDefinition,
  joinEnds,
  throughRelations,
  type JoinEnd,
  type ThroughRelation,
} from './model/join-model.js';
export {
  LockForNoKeyUpdate,
  LockForShare,
  LockForUpdate,
  LockForUpdateNoWait,
  LockForUpdateSkipLocked,
  LockNone,
  type LockOptions,
} from './query/locks.js';
export { Query, model } from './query/query.js';
export { from } from './query/from.js';
export { Returning } from './query/returning.js';
export {
  Database,
  OrmDatabase,
  open,
  type Database as DatabaseHandle,
  type DatabaseStats,
  sessionOf,
} from './session/database.js';
export {
  withCompiledQueryCacheSize,
  withDefaultTimeout,
  withExecutorOptions,
  withOptimizerPasses,
  withObservers,
  withPlugins,
  withRetryPolicy,
  withScanPlanCacheSize,
  withStmtCacheSize,
  type ExecutorOptions,
  type OpenOptions,
} from './session/open-options.js';
export { defaultRetryPolicy, isTransient, type RetryPolicy } from './session/retry.js';
export type { CallOptions, CreateOptions, Session } from './session/session.js';
export type {
  HandleFacts,
  HandleStats,
  IsolationLevel,
  MaybePromise,
  ReservedConnection,
  SqlConnection,
  SqlHandle,
  SqlTransactionConnection,
  StatementOptions,
  TransactionOptions,
  WriteResult,
} from './session/sql-handle.js';
export { transaction, type OpenTransaction } from './session/open-transaction.js';
export { callingConnection, Transaction, transactionOn } from './session/transaction.js';
export { registerCustom, type CustomRule } from './validation/rules.js';
export { assertValid, validateRow } from './validation/validate-row.js';
export { ValidationError } from './validation/validation-error.js';
export {
  CONNECT_TIMEOUT_MS,
  ServerHandle,
  type ServerConnection,
  type ServerOptions,
} from './session/server-handle.js';
export { serverUrl, withoutPassword } from './session/server-url.js';
export { cancelUntilEnded } from './session/cancel-until-ended.js';
export { assertWanted, limitsAfter, withinDeadline, type Limits } from './session/deadline.js';
export { RowPortions } from './session/row-portions.js';
export { StatementLine } from './session/statement-line.js';
export { TransactionState } from './session/transaction-state.js';
export { WatchedClient } from './session/watched-client.js';
export type { Cursor } from './query/cursor.js';
export type { Explanation, StreamOptions } from './query/other-reads.js';
export type { LinkChanges } from './query/links.js';
export type { UpsertOptions } from './query/upsert.js';
export { excluded, type UpsertBatchOptions } from './query/upsert-batch.js';
export { conjunction } from './plan/read-shape.js';
export { mapConditions, mapSelects } from './plan/rewrite.js';
export { withoutNames } from './plan/sources.js';
export { someValue } from './plan/values.js';
export { givesJoined, ownColumnsIn, returnedRows } from './plan/write-form.js';
export { plainTarget } from './plan/steps.js';
