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
export class Assignment {
  constructor(
    readonly info: ColumnInfo,
    /** The value of the step, or the list of them when it has not exactly one. */
    readonly value: unknown,
    /** What it adds to the shape of a query. */
    readonly step: Step = setStep(info, value === null),
  ) {}
}

/** `column = null` of a row that is saved, which leaves the null of JSON as it is: both are read as null. */
export class Emptying extends Assignment {
  constructor(info: ColumnInfo) {
    super(info, [], emptyStep(info));
  }
}

/** `column = column + value`. */
export class Increment extends Assignment {
  constructor(info: ColumnInfo, by: number | bigint) {
    super(info, by, incrementStep(info));
  }
}

/** `column = <expression>`. */
export class ComputedAssignment extends Assignment {
  constructor(
    info: ColumnInfo,
    readonly source: ValueSource,
  ) {
    super(info, [], computedStep(info));
  }
}

/** `column = <raw expression>`. */
export class RawAssignment extends Assignment {
  constructor(info: ColumnInfo, expression: RawExpression) {
    super(info, expression.single(), rawStep(info, expression.part()));
  }
}
