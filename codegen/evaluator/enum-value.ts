import { ts } from 'ts-morph';
import { unresolvable } from './unresolved.js';

/**
 * The object that an enum is at run time, with the reverse members of numeric ones.
 * @throws FwError `FW_CODEGEN_UNRESOLVED` when a member's value is not known
 */
export function enumValue(
  node: ts.EnumDeclaration,
  evaluate: (node: ts.Expression) => unknown,
): Readonly<Record<string, string | number>> {
  const members: Record<string, string | number> = {};
  let next = 0;
  for (const member of node.members) {
    if (ts.isComputedPropertyName(member.name)) throw unresolvable(member, 'a computed enum member is not followed');
    const value = member.initializer ? evaluate(member.initializer) : next;
    if (typeof value !== 'string' && typeof value !== 'number') {
      throw unresolvable(member, 'an enum member is a string or a number');
    }
    members[member.name.text] = value;
    if (typeof value === 'number') {
      members[String(value)] = member.name.text;
      next = value + 1;
    }
  }
  return members;
}
