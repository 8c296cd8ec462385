import { fwError } from '../../../../kernel/index.js';
import { ORM_ERRORS } from '../errors.js';

const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;
const MOST_PARTS = 3;

/** Whether a name can stand in SQL: letters, digits, underscores; up to three parts joined by dots. */
export function isIdentifier(name: string): boolean {
  const parts = name.split('.');
  return parts.length <= MOST_PARTS && parts.every((part) => NAME.test(part));
}

/**
 * The name itself, when it is an identifier.
 *
 * @throws FwError `FW_ORM_IDENTIFIER`
 */
export function identifier(name: string): string {
  if (typeof name === 'string' && isIdentifier(name)) return name;
  throw fwError(ORM_ERRORS.FW_ORM_IDENTIFIER, { identifier: String(name).slice(0, 80) });
}
