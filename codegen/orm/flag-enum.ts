import { ts } from 'ts-morph';

/**
 * Whether the members of an enum are flags that a value can combine: each is 0, a power of two, or a combination of members that are powers
 * of two. Consecutive numbers from 0 or 1 are flags only if they are written as such (`1 << 2`, `Read | Write`).
 */
export function isFlagEnum(
  members: readonly ts.EnumMember[],
  valueOf: (member: ts.EnumMember) => string | number | undefined,
): boolean {
  const values = [...new Set(members.map(valueOf))].filter((value) => value !== 0);
  if (values.length < 2 || !values.every((value) => typeof value === 'number' && Number.isInteger(value))) return false;
  const bits = (values as readonly number[]).filter(isPowerOfTwo);
  const all = bits.reduce((sum, bit) => sum | bit, 0);
  const areBits = (values as readonly number[]).every((value) => isPowerOfTwo(value) || (value | all) === all);
  if (!areBits || bits.length < 2) return false;
  const counts = values.every((value) => values.length === value || values.includes((value as number) + 1));
  return members.some(({ initializer }) => initializer && isOfBits(initializer)) || (values.length >= 3 && !counts);
}

const isPowerOfTwo = (value: number): boolean => value > 0 && value < 2 ** 31 && (value & (value - 1)) === 0;

function isOfBits(node: ts.Expression): boolean {
  if (ts.isParenthesizedExpression(node)) return isOfBits(node.expression);
  if (!ts.isBinaryExpression(node)) return false;
  return [ts.SyntaxKind.LessThanLessThanToken, ts.SyntaxKind.BarToken].includes(node.operatorToken.kind);
}
