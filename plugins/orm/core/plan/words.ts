import { fwError } from '../../../../kernel/index.js';
import { shown } from '../model/kinds.js';
import { ORM_ERRORS } from '../errors.js';

/** A closed list of words with their SQL. A word from outside is replaced by the list's text or refused, and never becomes SQL itself. */
export class Words<Word extends string> {
  readonly #texts: ReadonlyMap<unknown, string>;

  /**
   * @param what - names the place of the word in sentences
   * @param texts - each word with its SQL
   */
  constructor(
    private readonly what: string,
    texts: Readonly<Record<Word, string>>,
  ) {
    this.#texts = new Map(Object.entries(texts));
  }

  /** The words, in order. */
  get known(): readonly Word[] {
    return [...this.#texts.keys()] as Word[];
  }

  has(given: unknown): given is Word {
    return this.#texts.has(given);
  }

  /**
   * The word itself.
   *
   * @throws FwError `FW_ORM_WORD` for any other
   */
  checked(given: unknown): Word {
    if (this.has(given)) return given;
    throw this.#unknown(given);
  }

  /**
   * SQL of a word.
   *
   * @throws FwError `FW_ORM_WORD` for one that is not in the list
   */
  sql(word: Word): string {
    const text = this.#texts.get(word);
    if (text === undefined) throw this.#unknown(word);
    return text;
  }

  #unknown(given: unknown) {
    return fwError(ORM_ERRORS.FW_ORM_WORD, { what: this.what, known: this.known, got: shown(given) });
  }
}

/** A closed list of words that SQL has none for, or that each dialect writes in its own way. */
const listOf = <const Word extends string>(what: string, ...words: readonly Word[]): Words<Word> =>
  new Words(
    what,
    Object.fromEntries(words.map((word) => [word, word])) as Readonly<Record<string, string>> as Readonly<
      Record<Word, string>
    >,
  );

/** The words of a list. */
export type WordOf<List> = List extends Words<infer Word> ? Word : never;

/** How a join treats rows without a partner. */
export const JOINS = new Words('A join', {
  inner: 'INNER JOIN',
  left: 'LEFT JOIN',
  right: 'RIGHT JOIN',
  full: 'FULL JOIN',
  cross: 'CROSS JOIN',
});

/** Where nulls go in an order; the databases without such words spell it otherwise. */
export const NULLS = new Words('`nulls` of an order', { first: 'NULLS FIRST', last: 'NULLS LAST' });

/** Aggregate functions. */
export const AGGREGATES = new Words('An aggregate', {
  count: 'COUNT',
  sum: 'SUM',
  avg: 'AVG',
  min: 'MIN',
  max: 'MAX',
});

/** Functions of places in an order. */
export const WINDOW_FUNCTIONS = new Words('A window function', {
  rowNumber: 'ROW_NUMBER',
  rank: 'RANK',
  denseRank: 'DENSE_RANK',
  lag: 'LAG',
  lead: 'LEAD',
});

/** What stands between an operand and a subquery. */
export const SUBQUERIES = new Words('A subquery', {
  in: 'IN',
  notIn: 'NOT IN',
  exists: 'EXISTS',
  notExists: 'NOT EXISTS',
});

/** How rows of two queries are combined. */
export const SETS = new Words('A combination', {
  union: 'UNION',
  unionAll: 'UNION ALL',
  intersect: 'INTERSECT',
  intersectAll: 'INTERSECT ALL',
  except: 'EXCEPT',
  exceptAll: 'EXCEPT ALL',
});

/** Operators that compare a column with one value. */
export const COMPARISONS = new Words('A comparison', {
  eq: '=',
  neq: '<>',
  lt: '<',
  lte: '<=',
  gt: '>',
  gte: '>=',
  like: 'LIKE',
  ilike: 'ILIKE',
  isDistinctFrom: 'IS DISTINCT FROM',
  isNotDistinctFrom: 'IS NOT DISTINCT FROM',
});

/** Parts of a moment that are numbers. */
export const TIME_PARTS = listOf('A part of a moment', 'year', 'month', 'day', 'hour', 'minute', 'second');

/** Units that a moment can be cut to. */
export const TIME_UNITS = listOf('A unit of time', 'year', 'month', 'day', 'hour', 'minute');

/** Units of one length each. */
export const TIME_SPANS = listOf('A span of time', 'second', 'minute', 'hour', 'day');

/** Kinds that values are cast to. */
export const CASTS = listOf('What a value is cast to', 'text', 'int', 'bigint', 'float', 'decimal', 'plainDate');

/** Casts that databases do alike, or can be made to: of what, to what. */
export const CAST_NAMES = listOf(
  'A cast',
  'text:text',
  'whole:text',
  'uuid:text',
  'text:whole',
  'whole:whole',
  'exact:whole',
  'double:whole',
  'text:double',
  'whole:double',
  'exact:double',
  'double:double',
  'text:exact',
  'whole:exact',
  'exact:exact',
  'moment:day',
);

/** Row locks. */
export const LOCKS = listOf('A lock', 'update', 'share', 'noKeyUpdate', 'updateSkipLocked', 'updateNoWait');

/** Which rows of a model with soft delete a query sees. */
export const DELETED_SCOPES = listOf('withDeleted', 'with', 'only', 'force');

/** Isolation levels of transactions. */
export const ISOLATION_LEVELS = listOf(
  'The isolation of a transaction',
  'readUncommitted',
  'readCommitted',
  'repeatableRead',
  'snapshot',
  'serializable',
);
