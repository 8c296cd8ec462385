import type { ColumnInfo } from '../model/model-info.js';
import { computedStep, emptyStep, incrementStep, rawStep, setStep, type Step } from '../plan/steps.js';
import type { RawExpression } from './conditions.js';
import type { ValueSource } from './operand.js';

/** An assignment as a plain value (SPEC "ORM values"). */
export interface PlainAssignment {
  readonly column: string;
  readonly value: unknown;
}

/** `column = value`, made by `user.name.set(...)`. Immutable. */
export class Assignment<out Reads = unknown> {
  /** Exists only in types: the column that it writes, and those that its value is computed of. */
  declare readonly reads?: Reads;

  constructor(
    readonly info: ColumnInfo,
    /** The value of the step if it has exactly one, else the list of values. */
    readonly value: unknown,
    /** The step that it adds to the shape of a query. */
    readonly step: Step = setStep(info, value === null),
  ) {}
}

/** `column = null` of a saved row, which keeps a JSON null: both are read as null. */
export class Emptying extends Assignment<never> {
  constructor(info: ColumnInfo) {
    super(info, [], emptyStep(info));
  }
}

/** `column = column + value`. */
export class Increment extends Assignment<never> {
  constructor(info: ColumnInfo, by: number | bigint) {
    super(info, by, incrementStep(info));
  }
}

/** `column = <expression>`. */
export class ComputedAssignment<Reads = unknown> extends Assignment<Reads> {
  constructor(
    info: ColumnInfo,
    readonly source: ValueSource,
  ) {
    super(info, [], computedStep(info));
  }
}

/** `column = <raw expression>`. */
export class RawAssignment extends Assignment<never> {
  constructor(info: ColumnInfo, expression: RawExpression) {
    super(info, expression.single(), rawStep(info, expression.part()));
  }
}
