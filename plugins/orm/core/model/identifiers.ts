import { fwError } from '../../../../kernel/index.js';
import { typeInWords } from './kinds.js';
import { ORM_ERRORS } from '../errors.js';

const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;
const MOST_PARTS = 3;
const PART = /"((?:[^"\0]|"")+)"(?=\.|$)|([^".\0][^.\0]*)(?=\.|$)/y;

/** Whether a name can stand in SQL as it is: letters, digits, underscores; up to three parts joined by dots. */
export function isIdentifier(name: string): boolean {
  const parts = name.split('.');
  return parts.length <= MOST_PARTS && parts.every((part) => NAME.test(part));
}

/**
 * The name itself, when it is an identifier: for names that come from a call, not from a declaration.
 *
 * @throws FwError `FW_ORM_IDENTIFIER`
 */
export function identifier(name: string): string {
  if (typeof name === 'string' && isIdentifier(name)) return name;
  throw invalid(name, `, up to ${MOST_PARTS} parts joined by dots`);
}

/**
 * The parts of a name as a declaration writes it, without their quotes: of `sales.Order Details` two. A part that holds a dot, or begins
 * with a quote, stands in double quotes, doubled within, as in SQL. Undefined for what is no name.
 */
export function nameParts(name: string): readonly string[] | undefined {
  const parts: string[] = [];
  for (let at = 0; at <= name.length; at = PART.lastIndex + 1) {
    PART.lastIndex = at;
    const found = PART.exec(name);
    if (found === null) return undefined;
    parts.push(found[1]?.replaceAll('""', '"') ?? (found[2] as string));
  }
  return parts.length <= MOST_PARTS ? parts : undefined;
}

/** A name of the database as a declaration writes it. */
export const nameText = (part: string): string => (/^"|\./.test(part) ? `"${part.replaceAll('"', '""')}"` : part);

/**
 * The name, when a declaration may have it: anything but the character 0. Without quotes that it does not need, so that one name has one
 * text.
 *
 * @throws FwError `FW_ORM_IDENTIFIER`
 */
export function declaredName(name: string): string {
  const parts = typeof name === 'string' ? nameParts(name) : undefined;
  if (parts !== undefined) return name.includes('"') ? parts.map(nameText).join('.') : name;
  throw invalid(name, `, up to ${MOST_PARTS} parts joined by dots; a part with a dot in it stands in double quotes`);
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
