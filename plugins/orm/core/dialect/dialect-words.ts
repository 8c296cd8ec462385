import { fwError } from '../../../../kernel/index.js';
import { ORM_ERRORS } from '../errors.js';
import type { ColumnInfo } from '../model/model-info.js';
import type { AggregatePart, ValueType } from '../plan/parts.js';
import { typeOfColumn } from '../plan/projection.js';
import { declaredName, nameParts } from '../model/identifiers.js';
import type { Codecs, KindCodec } from '../model/kinds.js';
import { beginsOthers, type WindowKeys } from './window-keys.js';

/** How a database spells names and places of values, and what it says of what it cannot do. */
export abstract class DialectWords {
  constructor(
    /** Display name. */
    readonly dialect: string,
    protected readonly codecs: Codecs,
  ) {}

  /** Quotes one part of a name, whatever it holds but the character 0. */
  abstract quoteName(name: string): string;
  /** Placeholder of the n-th parameter, counted from 1. */
  abstract placeholder(position: number): string;

  /**
   * Quotes a name of up to three parts, as a declaration writes it.
   *
   * @throws FwError `FW_ORM_IDENTIFIER`
   */
  quote(name: string): string {
    const parts = nameParts(declaredName(name)) as readonly string[];
    return parts.map((part) => this.quoteName(part)).join('.');
  }

  /** Codec of a column in this database. */
  codecOf(column: ColumnInfo): KindCodec {
    return this.codecs[column.kind];
  }

  /** Error for what this database cannot do. */
  protected unsupported(feature: string, reason: string) {
    return fwError(ORM_ERRORS.FW_ORM_UNSUPPORTED, { dialect: this.dialect, feature, reason });
  }

  /** A partition of all rows by which a window is sorted apart from others, where the database would take them for sorted; else empty. */
  protected readonly sortsApart: string = '';

  /** What a window is divided by: its partitions, and what has it sorted apart; see {@link sortsApart}. */
  protected divided(window: WindowKeys, { windows }: { windows: readonly WindowKeys[] }, parts: string[]): string {
    const isApart = this.sortsApart !== '' && beginsOthers(window, windows);
    return (isApart ? [this.sortsApart, ...parts] : parts).join(', ');
  }

  /** Whether it has spans of time as a type, which are ordered by their length; else they are text. */
  protected readonly ordersSpans: boolean = false;

  /**
   * Refuses an order of spans of time where they are text, in which `PT2H` stands before `PT30M`.
   *
   * @throws FwError `FW_ORM_UNSUPPORTED`
   */
  protected assertOrdered({ temporal }: ValueType): void {
    if (temporal !== 'Duration' || this.ordersSpans) return;
    const remedy = 'it keeps them as text; keep what is compared as a number, such as seconds';
    throw this.unsupported('an order of spans of time (Temporal.Duration)', remedy);
  }

  /** Returns the aggregate, unless it is the least or the greatest of what has no order; see {@link assertOrdered}. */
  protected assertEdge(part: AggregatePart): AggregatePart {
    if (part.name === 'min' || part.name === 'max') this.assertOrdered(typeOfColumn(part.target?.info));
    return part;
  }
}
