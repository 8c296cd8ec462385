import type { TSchema } from 'typebox';
import { fwError, validatorOf } from '../../../kernel/index.js';
import { messageOf } from '../../../kernel/errors/index.js';
import { JWT_ERRORS } from './errors.js';

/** Why claims do not fit, in a sentence without their values; undefined when they do. Defaults are filled in. */
export type ClaimsFit = (claims: Readonly<Record<string, unknown>>) => string | undefined;

/**
 * The test of a schema of claims. It is compiled here, so that an invalid schema ends the boot and not the first request.
 * @throws FwError `FW_JWT_CLAIMS`
 */
export function claimsFit(schema: TSchema): ClaimsFit {
  const validator = validatorOf(schema);
  try {
    validator.check({});
  } catch (cause) {
    throw fwError(JWT_ERRORS.FW_JWT_CLAIMS, { problem: messageOf(cause) }, { cause });
  }
  return (claims) => {
    const [issue] = validator.check(claims);
    return issue && `${issue.path === '' ? 'as a whole' : issue.path}: ${issue.message}`;
  };
}
