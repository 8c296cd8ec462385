import type { Connection, Query, QueryConfig } from 'pg';
import { readArray } from './postgres-arrays.js';

/** Reads the text of a value; undefined where it stays text. */
type ParseText = ((text: string) => unknown) | undefined;

/** A statement that the server keeps under a name. */
export interface PreparedStatement {
  name: string;
  /** How its columns are read; known after its first run. */
  columns: readonly ParseText[] | undefined;
}

/** What a statement gave. */
export interface QueryOutcome {
  readonly rows: unknown[][];
  readonly rowCount: number | null;
}

/** Runs one statement on a client of `pg`; each value of a row is read by `parserOf` its type. */
export type RunQuery = (
  on: { query(query: Query): unknown },
  text: string,
  values: readonly unknown[],
  statement: PreparedStatement | undefined,
) => Promise<QueryOutcome>;

// The part of `pg` that its own extensions override too (https://node-postgres.com/apis/client, "client.query with a Submittable").
interface QueryInternals {
  prepare(connection: Connection): void;
  hasBeenParsed(connection: Connection): boolean;
  handleCommandComplete(message: unknown, connection: Connection): void;
}
type QueryBase = new (
  config: QueryConfig,
  values: undefined,
  callback: (error: Error | null, result: { readonly rowCount: number | null }) => void,
) => Query & QueryInternals;

interface RowDescription {
  readonly fields: readonly { readonly dataTypeID: number; readonly format: 'text' }[];
}

/**
 * Queries that ask the server to describe a prepared statement the first time only. The columns of one cannot change: the server
 * refuses it when they would (https://www.postgresql.org/docs/current/sql-prepare.html). `pg` asks every time, which takes a message
 * each way and looking the parsers up for each query.
 *
 * @param base - `Query` of `pg`
 */
export function preparedQueries(base: unknown, parserOf: (type: number, format: 'text') => ParseText): RunQuery {
  class PreparedQuery extends (base as QueryBase) {
    readonly #statement: PreparedStatement;
    readonly #rows: unknown[][] = [];
    #unreadable: Error | undefined;

    constructor(
      text: string,
      values: readonly unknown[],
      statement: PreparedStatement | undefined,
      resolve: (outcome: QueryOutcome) => void,
      reject: (error: Error) => void,
    ) {
      super({ name: statement?.name, text, values: values as unknown[] }, undefined, (error, result) => {
        const failed = error ?? this.#unreadable;
        if (failed) reject(failed);
        else resolve({ rows: this.#rows, rowCount: result.rowCount });
      });
      this.#statement = statement ?? { name: '', columns: undefined };
    }

    override prepare(connection: Connection): void {
      const isKnown = this.#statement.columns !== undefined && this.hasBeenParsed(connection);
      super.prepare(isKnown ? withoutDescribe(connection) : connection);
    }

    handleRowDescription({ fields }: RowDescription): void {
      this.#statement.columns = fields.map(({ dataTypeID, format }) => parserOf(dataTypeID, format));
    }

    // The list of texts becomes the row.
    handleDataRow({ fields }: { readonly fields: unknown[] }): void {
      const columns = this.#statement.columns as readonly ParseText[];
      try {
        for (let at = 0; at < fields.length; at++) {
          const parse = columns[at];
          if (parse !== undefined && fields[at] !== null) fields[at] = parse(fields[at] as string);
        }
        this.#rows.push(fields);
      } catch (error) {
        this.#unreadable ??= error as Error;
      }
    }

    override handleCommandComplete(message: unknown, connection: Connection): void {
      // A statement without rows is described by nothing.
      this.#statement.columns ??= [];
      super.handleCommandComplete(message, connection);
    }
  }
  return (on, text, values, statement) =>
    new Promise((resolve, reject) => void on.query(new PreparedQuery(text, values, statement, resolve, reject)));
}

/**
 * How values are read by their types, without a call for what stays text.
 *
 * @param readByDriver - types that `pg` reads; all others stay text
 * @param arrays - types of arrays, with those of their elements: each element is read like a value by itself
 */
export function parsersOf(
  types: { readonly getTypeParser: (type: number, format: 'text') => unknown },
  readByDriver: ReadonlySet<number>,
  arrays: ReadonlyMap<number, number> = new Map(),
): (type: number, format: 'text') => ParseText {
  const scalar = (type: number, format: 'text'): ParseText => {
    return readByDriver.has(type) ? (types.getTypeParser(type, format) as ParseText) : undefined;
  };
  return (type, format) => {
    const element = arrays.get(type);
    if (element === undefined) return scalar(type, format);
    const parse = scalar(element, format);
    return (text) => readArray(text, parse);
  };
}

const undescribed = new WeakMap<Connection, Connection>();

function withoutDescribe(connection: Connection): Connection {
  const known = undescribed.get(connection);
  if (known) return known;
  const made = Object.create(connection, { describe: { value: () => undefined } }) as Connection;
  undescribed.set(connection, made);
  return made;
}
