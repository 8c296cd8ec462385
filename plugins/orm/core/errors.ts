import { defineErrors } from '../../../kernel/index.js';

/** Codes of the ORM. Texts that the SPEC fixes ("ORM operations", "Errors") are kept to the letter. */
export const ORM_ERRORS = defineErrors('orm', {
  FW_ORM_NO_ROWS: {
    message: 'orm: no rows found',
    status: 404,
    cause: '`first` ran and no row matched.',
    remedy: 'Catch the code, or use `find` with `limit(1)` when no row is an ordinary answer.',
  },
  FW_ORM_SEVERAL_ROWS: {
    message: 'orm: more than one row of {model} matches a read that expects one.',
    status: 500,
    cause: '`only` ran with a condition that is not unique.',
    remedy: 'Use a unique key in the condition, or `first` with an order.',
  },
  FW_ORM_TAG: {
    message: '{model}.{field}: the tag "{tag}" is not valid: {problem}',
    cause:
      'A `@db`, `@validate`, `@json` or relation decorator carries something that its grammar does not know, or a default that is none of the kind of its column.',
    remedy: 'Correct the tag; the sentence lists what is allowed.',
    guide: 'orm.md#declare-a-model',
  },
  FW_ORM_MODEL: {
    message: 'The model {model} cannot be used: {problem}',
    cause: 'A class without `@table`, with two columns of one name, without columns, or with a wrong relation.',
    remedy: 'Declare the model as docs/guides/orm.md shows.',
    guide: 'orm.md#declare-a-model',
  },
  FW_ORM_UNKNOWN_COLUMN: {
    message: '{model} has no column "{column}"; its columns are: {known}',
    status: 500,
    cause: 'A plain value names a column (or property) that the model does not declare.',
    remedy: 'Correct the name, or use the generated accessors, which the compiler checks.',
  },
  FW_ORM_COLUMN_OUT_OF_REACH: {
    message: 'The query on {model} uses {column}, but its table is not part of the query; join it first.',
    cause: 'A predicate, order or selection belongs to a model that is neither the queried one nor joined.',
    remedy: 'Add the join, or qualify the column with the alias of the join.',
  },
  FW_ORM_IDENTIFIER: {
    message: 'dialect: invalid identifier "{identifier}": expected letters, digits and underscores{parts}.',
    cause: 'A table, column, alias or savepoint name holds a character that could change the statement.',
    remedy: 'Rename it, or use `raw` for an expression.',
  },
  FW_ORM_OPERATOR: {
    message: '{model}.{field}: the operator {op} is unknown; expected one of: {known}',
    cause: 'A plain predicate carries an `op` that is none of the Op constants.',
    remedy: 'Use the constants OpEq ... OpRaw; where a client chooses, map its words onto them.',
  },
  FW_ORM_WORD: {
    message: '{what} is one of {known}; got {got}.',
    cause:
      'A plain value carries a word that becomes SQL (an order of nulls, a lock, an aggregate, an isolation level), and it is none of the closed list.',
    remedy: 'Use the words of the sentence. Where a client chooses, map its words onto yours.',
  },
  FW_ORM_RAW_SHAPE: {
    message: '{given} is no raw SQL, which plain data cannot carry; call {call} in your code.',
    cause:
      'Data in the shape of raw SQL, as a request body may hold it, reached a query. Raw SQL is marked by a symbol, which JSON cannot write.',
    remedy: 'Write the SQL in your code with the function that the sentence names, and bind values as parameters.',
  },
  FW_ORM_VALUE: {
    message: '{model}.{field}: expected {expected}, got {got}.',
    status: 422,
    cause: 'A value has another type than the column, or is longer or larger than the column holds.',
    remedy: 'Convert the value before it reaches the query.',
  },
  FW_ORM_NULL_VALUE: {
    message: '{model}.{field} must not be null: the column is not nullable.',
    status: 422,
    cause: 'A row is written with null (or without a value) for a column that is required.',
    remedy: 'Give a value, a default in the tag, or declare the property as `T | null`.',
  },
  FW_ORM_EMPTY_LIST: {
    message: '{model}.{field}: IN needs at least one value; the list is empty.',
    cause: 'OpIn or OpNotIn with an empty list, which SQL cannot express.',
    remedy: 'Skip the predicate, or skip the query, when there is nothing to look for.',
  },
  FW_ORM_LIST_SIZE: {
    message: '{model}.{field}: a list of {size} values exceeds the {limit} parameters that {dialect} takes.',
    cause: 'An IN list is longer than one statement may be.',
    remedy: 'Split the list, or join against a table.',
  },
  FW_ORM_NUMBER: {
    message: '{what} must be a whole number of at least {least}, got {got}.',
    status: 422,
    cause: '`limit`, `offset` or `page` was given something else.',
    remedy: 'Convert and check the input first.',
  },
  FW_ORM_RAW: {
    message: 'The raw SQL "{sql}" cannot be used: {problem}',
    cause: 'A raw fragment names a parameter without a value, has a value that it does not name, or holds a semicolon.',
    remedy: 'Write raw("lower(email) = :email", "email", value); one fragment, no statement separator.',
  },
  FW_ORM_EXPRESSION: {
    message: 'The query on {model} was given {got} where {expected} was expected.',
    cause: 'An argument is neither a plain value of the documented form nor made by an accessor.',
    remedy: 'See docs/guides/orm.md for the forms.',
  },
  FW_ORM_UNSUPPORTED: {
    message: '{dialect} does not support {feature}: {reason}',
    cause: 'A feature that this database does not have and that cannot be expressed another way.',
    remedy: 'Use another form; docs/reference/dialects.md shows what each dialect does.',
  },
  FW_ORM_QUERY_FORM: {
    message: 'The query on {model} cannot be run: {problem}',
    cause: 'Parts of a query that do not go together, such as a write with a limit.',
    remedy: 'Change the query as the sentence says.',
  },
  FW_ORM_RELATION: {
    message: 'orm: unknown relation "{segment}" on {model}; its relations are: {known}',
    cause: 'A preload path names a property that is no relation.',
    remedy: 'Correct the path.',
  },
  FW_ORM_LINK_TWICE: {
    message: '{operation} of {relation} names the row {key} of {model} twice.',
    status: 422,
    cause: 'A list of rows, or of their keys, holds one row more than once; a link is there once or not at all.',
    remedy: 'Name each row once: [...new Set(ids)].',
  },
  FW_ORM_UPSERT_KEY: {
    message: 'The upsert on {model} names {conflict} as its key, {problem}; the unique keys of {model} are: {keys}.',
    status: 500,
    cause:
      '`conflict` names columns that no unique key is of, in the model or in the database, so that no row can be said to be there already.',
    remedy:
      'Name one of the keys of the sentence. Where the columns are to be one, say `unique` in the tag or in `indexes` of `@table`, and write a migration.',
    guide: 'orm.md#write',
  },
  FW_ORM_UPSERT_TWICE: {
    message: 'upsertBatch on {model} has two rows of the key {key}.',
    clientMessage: 'Two rows have the same key.',
    status: 422,
    cause: 'Two rows of one upsert meet the same row: one database changes it twice, and another refuses to.',
    remedy: 'Keep one row per key, for example the last.',
  },
  FW_ORM_LINK_MISSING: {
    message: '{operation} of {relation} names rows of {model} that are not there: {keys}.',
    clientMessage: 'What is to be linked is not there.',
    status: 422,
    cause: 'No row has the key, or a plugin hides it: it is deleted softly, or belongs to another tenant.',
    remedy: 'Create the rows first, or leave their keys out.',
  },
  FW_ORM_CURSOR: {
    message: 'orm: invalid cursor: {problem}',
    status: 400,
    cause: 'A cursor was made by another ordering, or is damaged.',
    remedy: 'Start again at the first page.',
  },
  FW_ORM_DIALECT: {
    message:
      'orm: {wanted}; dialects: {known}. List the plugin of a dialect in app.config.ts, or name one with driver.',
    cause:
      'Neither a plugin of a dialect nor the options of the plugin `orm` say which database it is, or they name one that is not installed.',
    remedy:
      'List a dialect: plugin(() => import("fw/orm/<dialect>"), { url }), or { file }; install the package of a third party first.',
    guide: 'orm.md#choose-a-database',
  },
  FW_ORM_DIALECT_FACTS: {
    message: 'The package {package} declares a dialect that cannot be used: {problem}.',
    cause: 'The field `fw.dialects` of a package.json is not as docs/guides/write-a-dialect.md says.',
    remedy: 'Correct the field, or remove the package.',
  },
  FW_ORM_NO_DATABASE: {
    message:
      'The application has no database: {config} lists no fw/orm. Add it with `{fw} add orm`; where app.config.ts has it already, build it: npm run build.',
    cause:
      'A command that works on the database is run for an application without one, or before it was built with it.',
    remedy: 'Add the feature orm, or build the application again.',
    guide: 'orm.md',
  },
  FW_ORM_DATABASE_NAME: {
    message: 'The application has no database called {name}; it has: {known}.',
    cause: 'A database is asked for by a name that no plugin of a dialect was given.',
    remedy:
      'List it: plugin(() => import("fw/orm/<dialect>").then((dialect) => dialect.default.named("reports")), { url }), or { file }.',
    guide: 'orm.md#several-databases',
  },
  FW_ORM_DATABASE_TWICE: {
    message:
      'The application has two databases called {name}. Give one of them another name with `named`, or leave it out.',
    cause:
      'Two plugins of dialects bring the same database, or one does and the options of the plugin `orm` name another.',
    remedy: 'Keep one; a further one is listed with `.named("...")`.',
  },
  FW_ORM_CLOSED: {
    message: 'The database handle is closed; nothing can run on it any more.',
    status: 503,
    cause: 'A query runs after `close()`, usually during shutdown.',
    remedy: 'Close the handle last.',
  },
  FW_ORM_HANDLE: {
    message: 'No database is open on this handle; open(handle, dialect) comes first.',
    cause: 'A handle was given where the ORM needs to know its dialect, and `open` was not called on it.',
    remedy: 'Call `open(handle, dialect)` once, and pass what it returns, or the handle afterwards.',
  },
  FW_ORM_TRANSACTION_OVER: {
    message: 'transaction: already finished: this transaction object was used after its end.',
    cause:
      'A promise inside the function was not awaited, the object escaped, or commit or rollback was called before.',
    remedy: 'Await every call inside the function, or before the end.',
    guide: 'orm.md#transactions',
  },
  FW_ORM_OUTSIDE_TRANSACTION: {
    message:
      'A call on the database was made inside the function of transaction.run; use the transaction object that the function receives, as in model(tx, User).',
    cause: 'The database has one writer: the call would wait for the transaction, which waits for the call.',
    remedy: 'Pass `tx` on. What is to happen after the commit belongs into tx.afterCommit.',
  },
  FW_ORM_OUTER_TRANSACTION: {
    message:
      'A savepoint was asked for on a transaction that has one open; use the transaction object of that savepoint.',
    cause: 'Savepoints are a stack: the call would wait for the end of the savepoint, which waits for the call.',
    remedy: 'Pass the inner transaction on.',
  },
  FW_ORM_SAVEPOINT_OPTION: {
    message:
      'transaction.run on a transaction is a savepoint of it, for which {option} cannot be set: it belongs to the transaction as a whole.',
    cause:
      '`isolation` or `readOnly` was given together with a transaction. `timeout` and `signal` hold for a savepoint too.',
    remedy: 'Give it to the outermost transaction.run.',
  },
  FW_ORM_TRANSACTION_LOST: {
    message: 'transaction: {dialect} has rolled it back: a statement failed inside, and the function went on after it.',
    cause:
      'The error of a statement was caught inside the function, which the cause of this one holds where it is known. Nothing of the transaction was kept. Some databases roll back all of it after a deadlock, also inside a savepoint.',
    remedy: 'Let the error end the function, or run what may fail in a savepoint: transaction.run(tx, null, null, fn).',
    guide: 'orm.md#transactions',
  },
  FW_ORM_COMMIT_UNKNOWN: {
    message:
      'transaction: {dialect} was asked to commit, and the connection was lost or given up before the answer: it may be committed, or not.',
    status: 503,
    cause:
      'The server, or the way to it, failed between COMMIT and its answer, or the answer did not come within the `timeout` of the transaction (within a second after its `signal` fired). The connection is not used again. Such a transaction is never tried again by itself.',
    remedy: 'Look whether what it wrote is there before you do it again, for example by a key of your own.',
    guide: 'orm.md#transactions',
  },
  FW_ORM_TRANSACTION_GAVE_UP: {
    message: 'transaction: exhausted {attempts} attempts: {last}',
    status: 503,
    cause: 'A transient database error (deadlock, serialization failure, lock wait timeout, busy) kept coming back.',
    remedy: 'Raise `maxAttempts`, or look for the contention.',
    guide: 'orm.md#transactions',
  },
  FW_ORM_AFTER_COMMIT: {
    message: 'transaction: committed, but a callback of afterCommit failed: {reason}',
    status: 500,
    cause: 'A callback given to `afterCommit` threw. The transaction IS committed, and the other callbacks have run.',
    remedy: 'See the cause, and do not run the transaction again: catch in the callback what may fail there.',
  },
  FW_ORM_ROLLBACK: {
    message: 'transaction: rollback after error {error}: {rollback}',
    cause: 'The rollback itself failed; the connection was discarded.',
    remedy: 'Look at both errors; the cause holds the first.',
  },
  FW_ORM_DATABASE: {
    message: 'orm: {dialect} refused the statement: {reason}',
    cause: 'The database reported an error; the driver error is the cause.',
    remedy: 'Read the reason; `error.details.sql` holds the statement, never its values.',
    guide: 'orm.md#several-databases',
  },
  FW_ORM_VALUE_REFUSED: {
    message: 'orm: {dialect} does not take a value: {reason}',
    clientMessage: 'A value is too long or too large, or none of the type that is expected.',
    status: 422,
    cause: 'A value is longer or larger than its column, or its text is none of the type that the statement asks for.',
    remedy:
      'Check the value, or give the column a type that holds it. `error.details.column` names the column where the database tells it.',
  },
  FW_ORM_UNREADABLE: {
    message: '{column} holds {got}, which is not {expected}: {remedy}.',
    status: 500,
    cause:
      'The database holds a value that the declared type has no room for: a day where the property is a Date, `infinity`, a zero date, a moment that no Date reaches.',
    remedy: 'Declare the property as the sentence says. The value itself is as it was.',
  },
  FW_ORM_TEMPORAL: {
    message:
      '{what} needs Temporal, which Node {version} does not have: run Node 26 or later, or assign a polyfill to globalThis before the start (NODE_OPTIONS="--import temporal-polyfill/global").',
    status: 500,
    cause:
      'A model declares a property as a class of Temporal (`Temporal.PlainDate`), and the process has none: Node has it from release 26 on.',
    remedy:
      'Run Node 26 or later, or install a polyfill such as temporal-polyfill or @js-temporal/polyfill and assign it to globalThis before the application starts.',
    guide: 'orm.md#temporal',
  },
  FW_ORM_TIME_FORMAT: {
    message: '{table}.{column} holds the time {value}, which is not of the form {format}: {advice}.',
    status: 500,
    cause:
      'A column holds times in a form that is not the declared one, or in several: comparisons and orders of them would be wrong.',
    remedy:
      'Declare the form that the column holds with `format=` in its tag (`{fw} db pull` finds it), or write all of its values in one form.',
  },
  FW_ORM_CONSTRAINT: {
    message: 'orm: a {kind} constraint was violated: {reason}',
    clientMessage: 'What is stored does not allow this: a {kind} constraint was violated.',
    status: 409,
    cause: 'A unique, foreign key, check or not-null constraint refused the row.',
    remedy: 'Check the values, or handle the code where duplicates are expected.',
  },
  FW_ORM_CONNECTION: {
    message: 'orm: the connection to {dialect} failed: {reason}',
    status: 503,
    cause:
      'The server cannot be reached or dropped the connection. A single statement that writes may have been done; a transaction was not committed.',
    remedy: 'Check address, credentials and server; the next call opens a new connection.',
    guide: 'orm.md#choose-a-database',
  },
  FW_ORM_NO_CONNECTION: {
    message: 'orm: no connection came free within {waited} ms; all {connections} are in use.',
    status: 503,
    cause:
      'More calls at once than connections, transactions that stay open, or calls on the database inside the functions of transactions: each needs a second connection, and those that hold the first wait for it.',
    remedy:
      'Inside the function of transaction.run use the transaction object, as in model(tx, User). Else shorten transactions, or raise `connections`.',
  },
  FW_ORM_TIMEOUT: {
    message: 'orm: a statement was given up after {timeout} ms.',
    status: 503,
    cause: 'The default timeout or the deadline of the call passed.',
    remedy: 'Look at the plan with `explain()`, or raise the timeout.',
    guide: 'orm.md#limits-of-a-call',
  },
  FW_ORM_STOPPED: {
    message: 'orm: {dialect} stopped a statement: {reason}',
    status: 503,
    cause:
      'Somebody stopped it at the server (pg_cancel_backend, KILL QUERY), or it passed a limit that is set there (statement_timeout, max_statement_time, max_execution_time).',
    remedy:
      'Look at the plan with `explain()` and at the limits of the server and the login; the connection is still good.',
  },
  FW_ORM_ABORTED: {
    message: 'orm: a statement was aborted by its caller.',
    status: 499,
    cause: 'The AbortSignal of the call fired.',
    remedy: 'Nothing, when the caller has gone.',
    guide: 'orm.md#limits-of-a-call',
  },
  FW_ORM_TRANSIENT: {
    message: 'orm: {dialect} could not finish now: {reason}',
    status: 503,
    cause: 'Deadlock, serialization failure, lock wait timeout or busy database.',
    remedy: 'Use transaction.run, which retries.',
  },
  FW_ORM_DRIVER_MISSING: {
    message: 'The {dialect} driver needs {needed}',
    cause:
      'Drivers are optional, so that an application installs only its own. One that is a module of Node is in some of its releases only.',
    remedy: 'Install the package that the message names, or run the Node that it names.',
    guide: 'orm.md#choose-a-database',
  },
  FW_ORM_HOOK: {
    message: 'orm: {hook} hook: {reason}',
    cause: 'A lifecycle hook of the model threw; the cause holds its error.',
    remedy: 'See the cause.',
  },
  FW_ORM_PLUGIN: {
    message: 'orm: plugin {phase}: {plugin}: {reason}',
    cause: 'A plugin callback threw; the cause holds its error.',
    remedy: 'See the cause.',
  },
  FW_ORM_NOTHING_TO_SET: {
    message: 'orm: updateAll on {model} requires at least one assignment.',
    cause: '`updateAll()` was called without assignments.',
    remedy: 'Pass assignments such as user.name.set("x").',
  },
  FW_ORM_NOT_INSERTED: {
    message: 'orm: create on {model} inserted no row: the database took the statement and left the row out.',
    status: 409,
    cause:
      'The table says so itself, by ON CONFLICT IGNORE or a trigger in place of the insert. There is no key that was generated.',
    remedy: 'Use `upsert` with `update: "none"` where a row may be there already, or look for the row before.',
  },
  FW_ORM_READ_ONLY_COLUMN: {
    message: '{model}.{field} is {why} and is never written.',
    cause: 'An assignment or row sets a column that the database fills.',
    remedy: 'Leave it out.',
  },
  FW_ORM_NO_PRIMARY_KEY: {
    message: '{operation} on {model} needs a primary key; declare one with the tag option pk.',
    cause: 'Row operations identify the row by its primary key.',
    remedy: 'Declare the key, or use updateAll and delete with `where`.',
  },
  FW_ORM_ROW_GONE: {
    message: '{operation} on {model} changed no row: no row has the primary key {key}.',
    status: 404,
    cause: 'The row was deleted, or its key was changed.',
    remedy: 'Read it again.',
  },
  FW_ORM_READ_ONLY: {
    message: '{model} is the view {table}, whose rows are only read; got: {operation}.',
    clientMessage: 'This cannot be changed.',
    status: 405,
    cause: 'The model says `view` in `@table`: its rows come from a query over other tables.',
    remedy: 'Write to the models of the tables that the view reads. A table takes no `view`.',
  },
  FW_ORM_STALE_ROW: {
    message: '{operation} on {model} changed nothing: the row {key} is no longer of the version {version}.',
    clientMessage: 'Somebody else has changed it in the meantime.',
    status: 409,
    cause: 'The row was changed since it was read: its column with the tag option `version` has counted on.',
    remedy: 'Read the row again, and decide what becomes of both changes.',
    guide: 'concurrent-changes.md',
  },
  FW_ORM_NO_VERSION: {
    message: '{operation} on {model} needs "{field}", the version that the row was read with.',
    status: 422,
    cause:
      'A row of a model with a column `version` is written without it, so that nobody can tell whether it has changed since it was read.',
    remedy:
      'Read the row with its version, have clients send it along, or use updateAll or delete with `where`, which compare nothing.',
    guide: 'concurrent-changes.md',
  },
  FW_ORM_DEVELOPMENT: {
    message: 'This works on databases of development only: {problem}.',
    status: 403,
    cause:
      'The profile is prod, the database is on another machine, the dialect does not say where it is, or its file is not there yet.',
    remedy:
      'Point the profile dev at a database of this machine. FW_MCP_LIVE_ALLOWLIST=host permits another host, where the operator sets it. A file is made by the first start, or by `{fw} migrate up`.',
    guide: 'workbench.md#which-databases-are-asked',
  },
  FW_ORM_READ_DIALECT: {
    message: '{dialect} has nothing here that keeps a statement from doing more than read.',
    status: 422,
    cause: 'The dialect declares no `read`: only a database can tell what a statement does.',
    remedy: 'Use a dialect that declares `read`, or query the database in code of the application.',
  },
  FW_ORM_READ_LOGIN: {
    message:
      'The login {login} does more than read: {rights}. Run `{fw} db reader` once: it makes a login that only reads, and puts it into .env.local as DATABASE_READER_URL.',
    status: 403,
    cause:
      'Statements that nobody has looked at run under a login that the database itself keeps from writing, from files of the server, and from private columns.',
    remedy: 'Run `{fw} db reader`; with --print it shows the statements for who may make logins.',
    guide: 'workbench.md#a-database-user-that-only-reads',
  },
  FW_ORM_READ_REFUSED: {
    message: 'The database refuses the statement: {reason}.',
    status: 422,
    cause: 'It is wrong, does more than read, reads a private column, or takes too long.',
    remedy: 'Send one SELECT that names the columns it needs; `{fw} db schema` lists them.',
    guide: 'workbench.md#what-keeps-a-read-from-writing',
  },
  FW_ORM_TEMPORARY_DATABASE: {
    message: 'No database of its own could be made beside {database}: {problem}.',
    cause: 'The option temporaryDatabase of fw/orm is set, and the server or the dialect refuses another database.',
    remedy:
      'Let the login make databases (the guide has the statement for each server), or leave temporaryDatabase out and name a database for tests in .env.test.',
    guide: 'orm.md#tests',
  },
  FW_ORM_OPTIONS: {
    message: 'orm: the option {option} is not valid: expected {expected}, got {got}.',
    cause: 'An option of `open`, of a call, of a transaction or of a connection has the wrong type or range.',
    remedy: 'See the option tables in docs/guides/orm.md.',
  },
});
