import { FwError, defineErrors } from '../../../../kernel/index.js';

/** Codes of validation. */
export const VALIDATION_ERRORS = defineErrors('orm/validation', {
  FW_ORM_VALIDATION: {
    message: '{model} is not valid: {problems}',
    status: 422,
    cause: 'A row breaks rules of its `@validate` tags.',
    remedy: 'Correct the fields; `error.fields` names each with its rule.',
  },
  FW_ORM_VALIDATION_WAITS: {
    message: '{model}.{field}: a custom rule gives a promise, for which `validate` and `assertValid` cannot wait.',
    cause: 'A function of `registerCustom` is asynchronous. `validate` gives its answer at once.',
    remedy: 'Check before, or let `create`, `save`, `update` and their kin check: with `validate: true` they wait.',
  },
});

/**
 * A row that breaks its rules (SPEC "Errors"): `fields` maps property to error, in the order of declaration.
 * Not to be confused with the binding error of an HTTP request.
 */
export class ValidationError extends FwError {
  constructor(
    model: string,
    readonly fields: Readonly<Record<string, Error>>,
  ) {
    const problems = Object.entries(fields).map(([field, error]) => `${field}: ${error.message}`);
    super(VALIDATION_ERRORS.FW_ORM_VALIDATION, { model, problems: problems.join('; ') });
  }

  override get name(): string {
    return 'ValidationError';
  }

  /** The fields as `problem+json` lists them (RFC 9457, section 3.2). */
  get errors(): readonly {
    readonly in: 'body';
    readonly field: string;
    readonly rule: string;
    readonly message: string;
  }[] {
    return Object.entries(this.fields).map(([field, { name, message }]) => ({
      in: 'body',
      field,
      rule: name,
      message,
    }));
  }
}
