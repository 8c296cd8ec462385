import { ts } from 'ts-morph';
import { carriedOut, unresolvable } from './unresolved.js';

type Evaluate = (node: ts.Expression) => unknown;
type Operation = (left: never, right: never) => unknown;

const BINARY: ReadonlyMap<ts.SyntaxKind, Operation> = new Map<ts.SyntaxKind, Operation>([
  [ts.SyntaxKind.PlusToken, (left: number, right: number) => left + right],
  [ts.SyntaxKind.MinusToken, (left: number, right: number) => left - right],
  [ts.SyntaxKind.AsteriskToken, (left: number, right: number) => left * right],
  [ts.SyntaxKind.SlashToken, (left: number, right: number) => left / right],
  [ts.SyntaxKind.PercentToken, (left: number, right: number) => left % right],
  [ts.SyntaxKind.AsteriskAsteriskToken, (left: number, right: number) => left ** right],
  [ts.SyntaxKind.LessThanLessThanToken, (left: number, right: number) => left << right],
  [ts.SyntaxKind.GreaterThanGreaterThanToken, (left: number, right: number) => left >> right],
  [ts.SyntaxKind.GreaterThanGreaterThanGreaterThanToken, (left: number, right: number) => left >>> right],
  [ts.SyntaxKind.BarToken, (left: number, right: number) => left | right],
  [ts.SyntaxKind.AmpersandToken, (left: number, right: number) => left & right],
  [ts.SyntaxKind.CaretToken, (left: number, right: number) => left ^ right],
  [ts.SyntaxKind.EqualsEqualsEqualsToken, (left: unknown, right: unknown) => left === right],
  [ts.SyntaxKind.ExclamationEqualsEqualsToken, (left: unknown, right: unknown) => left !== right],
]);

/** For operators whose left side may be the value by itself: whether it is. */
const DECIDES: ReadonlyMap<ts.SyntaxKind, (left: unknown) => boolean> = new Map([
  [ts.SyntaxKind.QuestionQuestionToken, (left: unknown) => left !== undefined && left !== null],
  [ts.SyntaxKind.BarBarToken, (left: unknown) => Boolean(left)],
  [ts.SyntaxKind.AmpersandAmpersandToken, (left: unknown) => !left],
]);

/** Value of a binary expression. @throws FwError `FW_CODEGEN_UNRESOLVED` for operators with effects */
export function binary(node: ts.BinaryExpression, evaluate: Evaluate): unknown {
  const { kind } = node.operatorToken;
  const operation = BINARY.get(kind);
  const decides = DECIDES.get(kind);
  if (!operation && !decides) {
    throw unresolvable(node, `the operator ${node.operatorToken.getText()} is not followed`);
  }
  const left = evaluate(node.left);
  if (decides?.(left)) return left;
  const right = evaluate(node.right);
  return operation ? carriedOut(node, () => operation(left as never, right as never)) : right;
}

/** Value of a prefix expression: `-1`, `!x`. @throws FwError `FW_CODEGEN_UNRESOLVED` for `++` and `--` */
export function prefix(node: ts.PrefixUnaryExpression, evaluate: Evaluate): unknown {
  const operand = evaluate(node.operand);
  if (node.operator === ts.SyntaxKind.MinusToken) return carriedOut(node, () => -(operand as number));
  if (node.operator === ts.SyntaxKind.PlusToken) return carriedOut(node, () => +(operand as number));
  if (node.operator === ts.SyntaxKind.ExclamationToken) return !operand;
  if (node.operator === ts.SyntaxKind.TildeToken) return carriedOut(node, () => ~(operand as number));
  throw unresolvable(node, `the operator of ${node.getText()} is not followed`);
}
