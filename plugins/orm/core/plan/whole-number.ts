import { fwError } from '../../../../kernel/index.js';
import { typeInWords } from '../model/kinds.js';
import { ORM_ERRORS } from '../errors.js';

/** A count that a step was given. @throws FwError `FW_ORM_NUMBER` */
export function wholeNumber(what: string, value: number, least: number): number {
  if (Number.isSafeInteger(value) && value >= least) return value;
  throw fwError(ORM_ERRORS.FW_ORM_NUMBER, { what, least, got: typeInWords(value) });
}
