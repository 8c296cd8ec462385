import { ts } from 'ts-morph';
import { unresolvable } from './unresolved.js';

type Value = string | number;

/**
 * The object that an enum is at run time, with the reverse members of numeric ones.
 * @throws FwError `FW_CODEGEN_UNRESOLVED` when a member's value is not known
 */
export function enumValue(
  node: ts.EnumDeclaration,
  valueOf: (member: ts.EnumMember) => Value,
): Readonly<Record<string, Value>> {
  const members: Record<string, Value> = {};
  for (const member of node.members) {
    if (ts.isComputedPropertyName(member.name)) throw unresolvable(member, 'a computed enum member is not followed');
    const value = valueOf(member);
    members[member.name.text] = value;
    if (typeof value === 'number') members[String(value)] = member.name.text;
  }
  return members;
}

/**
 * The value of one member: its initializer's, or one more than that of the member before.
 * @throws FwError `FW_CODEGEN_UNRESOLVED`
 */
export function enumMemberValue(
  member: ts.EnumMember,
  evaluate: (node: ts.Expression) => unknown,
  valueOf: (member: ts.EnumMember) => Value,
): Value {
  if (member.initializer === undefined) {
    const before = member.parent.members[member.parent.members.indexOf(member) - 1];
    const last = before && valueOf(before);
    if (typeof last === 'string') throw unresolvable(member, 'an enum member behind a text needs a value');
    return last === undefined ? 0 : last + 1;
  }
  const value = evaluate(member.initializer);
  if (typeof value === 'string' || typeof value === 'number') return value;
  throw unresolvable(member, 'an enum member is a string or a number');
}
