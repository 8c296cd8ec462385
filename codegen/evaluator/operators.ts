import { ts } from 'ts-morph';
import { unresolvable } from './unresolved.js';

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
  [ts.SyntaxKind.QuestionQuestionToken, (left: unknown, right: unknown) => left ?? right],
  [ts.SyntaxKind.BarBarToken, (left: unknown, right: unknown) => left || right],
  [ts.SyntaxKind.AmpersandAmpersandToken, (left: unknown, right: unknown) => left && right],
]);

/** Value of a binary expression. @throws FwError `FW_CODEGEN_UNRESOLVED` for operators with effects */
export function binary(node: ts.BinaryExpression, evaluate: Evaluate): unknown {
  const operation = BINARY.get(node.operatorToken.kind);
  if (!operation) throw unresolvable(node, `the operator ${node.operatorToken.getText()} is not followed`);
  return operation(evaluate(node.left) as never, evaluate(node.right) as never);
}

/** Value of a prefix expression: `-1`, `!x`. @throws FwError `FW_CODEGEN_UNRESOLVED` for `++` and `--` */
export function prefix(node: ts.PrefixUnaryExpression, evaluate: Evaluate): unknown {
  const operand = evaluate(node.operand);
  if (node.operator === ts.SyntaxKind.MinusToken) return -(operand as number);
  if (node.operator === ts.SyntaxKind.PlusToken) return Number(operand);
  if (node.operator === ts.SyntaxKind.ExclamationToken) return !operand;
  if (node.operator === ts.SyntaxKind.TildeToken) return ~(operand as number);
  throw unresolvable(node, `the operator of ${node.getText()} is not followed`);
}
