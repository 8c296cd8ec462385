import type { ColumnInfo } from '../model/model-info.js';
import type { RawExpression } from './conditions.js';
import { setPart } from '../plan/interned-parts.js';
import type { Part, PartKey } from '../plan/parts.js';

/** An assignment as a plain value (SPEC "ORM values"). */
export interface PlainAssignment {
  readonly column: string;
  readonly value: unknown;
}

interface AssignmentStep {
  readonly key: PartKey;
  readonly part: Part;
  readonly values: readonly unknown[];
}

/** `column = value`, made by `user.name.set(...)`. */
export class Assignment {
  constructor(
    readonly info: ColumnInfo,
    readonly value: unknown,
  ) {}

  /** Structure and values of the step. */
  step(): AssignmentStep {
    const column = this.info;
    if (this.value === null)
      return { key: `setNull:${column.name}`, part: { t: 'setNull', column, values: 0 }, values: [] };
    const part = setPart(column);
    return { key: part, part, values: [this.value] };
  }
}

/** `column = column + value`. */
export class Increment extends Assignment {
  override step(): AssignmentStep {
    return { key: `add:${this.info.name}`, part: { t: 'add', column: this.info, values: 1 }, values: [this.value] };
  }
}

/** `column = <raw expression>`. */
export class RawAssignment extends Assignment {
  constructor(
    info: ColumnInfo,
    readonly expression: RawExpression,
  ) {
    super(info, undefined);
  }

  override step(): AssignmentStep {
    const raw = this.expression.part();
    const key = `setRaw:${this.info.name}:${raw.sizes.join()}:${raw.raw.source}`;
    return { key, part: { t: 'setRaw', column: this.info, raw, values: raw.values }, values: this.expression.values() };
  }
}
