import type { ColumnInfo } from '../model/model-info.js';
import type { Slot } from '../plan/logical.js';
import type { Binder } from '../plan/plan.js';
import {
  acceptorOf,
  expectationOf,
  typeInWords,
  valueRefusal,
  type ColumnKind,
  type KindCodec,
} from '../model/kinds.js';
import { kindForm } from '../model/temporal.js';

/** SQL text with the places of its values. */
export interface Statement {
  readonly sql: string;
  /** Per parameter, in SQL order: the value of the call that it takes. */
  readonly slots: readonly Slot[];
  readonly binders: readonly Binder[];
  /** Pairs of values of the call that have to be equal. */
  readonly equal?: readonly (readonly [number, number])[] | undefined;
}

/** Collects SQL text and parameters. */
export class SqlWriter {
  readonly #slots: Slot[] = [];
  readonly #binders: Binder[] = [];
  readonly #shared = new Map<string, string>();
  readonly #equal: (readonly [number, number])[] = [];

  constructor(
    private readonly placeholder: (position: number) => string,
    private readonly codecOf: (column: ColumnInfo) => KindCodec,
    private readonly looseBinder: Binder,
  ) {}

  /** Placeholder of a value that a column takes. */
  columnValue(slot: Slot, column: ColumnInfo | undefined, check?: (value: unknown) => void): string {
    const binder = column === undefined ? this.looseBinder : columnBinder(column, this.codecOf(column));
    return this.#parameter(slot, checkedBinder(check, binder));
  }

  /** Placeholder of a value with a binder of its own. */
  boundValue(slot: Slot, binder: Binder): string {
    return this.#parameter(slot, binder);
  }

  /** Placeholder of a value that no column explains, as in raw fragments: encoded by its JavaScript type. */
  looseValue(slot: Slot): string {
    return this.#parameter(slot, this.looseBinder);
  }

  /** Placeholder of a list that travels as one value. */
  arrayValue(slot: Slot, column: ColumnInfo): string {
    const one = columnBinder(column, this.codecOf(column));
    return this.#parameter(slot, (list) => (one ? (list as unknown[]).map(one) : list));
  }

  /**
   * Placeholder of a value that an expression takes, of a kind. With numbered placeholders a value is sent once, so that equal expressions
   * have equal texts.
   */
  kindValue(slot: Slot, kind: ColumnKind, codec: KindCodec): string {
    if (kind === 'any') return this.looseValue(slot);
    const isNumbered = this.placeholder(1) !== this.placeholder(2);
    const key = isNumbered && typeof slot === 'number' ? `${kind}:${slot}` : undefined;
    const known = key === undefined ? undefined : this.#shared.get(key);
    if (known !== undefined) return known;
    const made = this.#parameter(slot, kindBinder(kind, codec));
    if (key !== undefined) this.#shared.set(key, made);
    return made;
  }

  /** Notes that two values of the call have to be equal. */
  mustBeEqual(one: Slot, other: Slot): void {
    if (typeof one === 'number' && typeof other === 'number') this.#equal.push([one, other]);
  }

  /** The finished statement. */
  finish(sql: string): Statement {
    const equal = this.#equal.length > 0 ? this.#equal : undefined;
    return { sql, slots: this.#slots, binders: this.#binders, equal };
  }

  #parameter(slot: Slot, binder: Binder): string {
    this.#slots.push(slot);
    this.#binders.push(binder);
    return this.placeholder(this.#slots.length);
  }
}

/** Checks a value against its column and encodes it; null passes. */
export function columnBinder(column: ColumnInfo, codec: KindCodec): Binder {
  const encode = codec.encode as ((value: unknown, column: ColumnInfo) => unknown) | undefined;
  if (encode === undefined) return column.checkedOrNull;
  return (value) => (value === null ? null : encode(column.checked(value), column));
}

/** Checks a value of an expression against a kind and encodes it; null passes. */
function kindBinder(kind: ColumnKind, codec: KindCodec): Binder {
  const encode = codec.encode as ((value: unknown) => unknown) | undefined;
  const accepts = acceptorOf({ kind });
  return (value) => {
    if (value === null) return null;
    const temporal = kindForm(value);
    const given = temporal?.kind === kind ? temporal.form : value;
    if (!accepts(given)) throw valueRefusal(undefined, expectationOf({ kind }), typeInWords(value));
    return encode ? encode(given) : given;
  };
}

/** A binder that looks at a value first. */
export function checkedBinder(check: ((value: unknown) => void) | undefined, binder: Binder): Binder {
  if (check === undefined) return binder;
  return (value) => {
    check(value);
    return binder ? binder(value) : value;
  };
}

/** A number for LIMIT and OFFSET; checked where the query is built. */
export const boundBinder: Binder = undefined;
