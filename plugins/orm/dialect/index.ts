/**
 * What a dialect of the ORM is made of: the contract, and the parts that the four of the framework are built from. Unstable: before
 * 1.0 it may change with every minor release.
 * @packageDocumentation
 */
export { Databases, DatabaseSource, databaseNamed, DEFAULT_DATABASE } from './database-source.js';
export { defineDialect, type DialectDefinition, type DialectPlugin, isDialectPlugin } from './define-dialect.js';
export { serverOptions } from './options.js';

// The contract.
export type {
  AdvisoryLock,
  BatchForm,
  Codecs,
  ColumnInfo,
  ColumnKind,
  ColumnState,
  Dialect,
  DialectCapabilities,
  EnumTypes,
  HandleStats,
  HeldTimes,
  Introspection,
  IsolationLevel,
  KeptColumn,
  KeptDefinition,
  KeyClauses,
  KindCodec,
  MaybePromise,
  NativeType,
  PositionalRow,
  ReservedConnection,
  SchemaDialect,
  ScriptStatement,
  SessionLock,
  SqlConnection,
  SqlHandle,
  SqlTransactionConnection,
  StatementOptions,
  TimePlace,
  TransactionOptions,
  UncheckedConstraint,
  WriteResult,
} from '../core/index.js';
export { COLUMN_KINDS, ORM_ERRORS } from '../core/index.js';

// Compilers.
export {
  checkedBinder,
  columnBinder,
  COMPARISONS,
  Scope,
  SqlCompiler,
  SqlWriter,
  Words,
  type AggregatePart,
  type Bound,
  type ColumnTarget,
  type JoinKind,
  type LockMode,
  type LogicalConflict,
  type LogicalCount,
  type LogicalExpr,
  type LogicalInsert,
  type LogicalJoin,
  type LogicalOrder,
  type LogicalSelect,
  type Slot,
  type SubqueryOp,
} from '../core/index.js';

// Codecs and column types.
export {
  anyValue,
  characterCount,
  columnLimit,
  dateOfYears,
  dayForMoment,
  decimalText,
  defaultWriter,
  int32,
  isNumeric,
  isoText,
  isoYear,
  isSpecialDay,
  jsonArrays,
  jsonText,
  kindsOf,
  mapElements,
  numericKind,
  quotedLetters,
  quotedText,
  takeValues,
  readTimeFormat,
  timeFormatText,
  timeOfIsoText,
  unreadable,
  type NumberTime,
  type TextTime,
  type TimeFormat,
  valueRefusal,
  yearOfDay,
  type ColumnLimit,
} from '../core/index.js';

// Handles and connections.
export {
  assertBoolean,
  assertMilliseconds,
  assertWanted,
  assertWhole,
  BoundedCache,
  callingConnection,
  cancelUntilEnded,
  CONNECT_TIMEOUT_MS,
  limitsAfter,
  RowPortions,
  ServerHandle,
  serverUrl,
  StatementLine,
  TransactionState,
  WatchedClient,
  withinDeadline,
  withoutPassword,
  type Limits,
  type ServerConnection,
  type ServerOptions,
} from '../core/index.js';
