import { fwError } from '../../../../kernel/index.js';
import { typeInWords } from './kinds.js';
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
  throw invalid(name, `, up to ${MOST_PARTS} parts joined by dots`);
}

/**
 * The name itself, when it can be given to something in a statement: one part, for an alias has no schema.
 *
 * @throws FwError `FW_ORM_IDENTIFIER`
 */
export function alias(name: string): string {
  if (typeof name === 'string' && NAME.test(name)) return name;
  throw invalid(name, ', without a dot');
}

function invalid(name: unknown, parts: string) {
  const shownName = typeof name === 'string' ? name.slice(0, 80) : typeInWords(name);
  return fwError(ORM_ERRORS.FW_ORM_IDENTIFIER, { identifier: shownName, parts });
}
