import { ts } from 'ts-morph';

/** Parentheses, casts and their kin: what stands around an expression without changing its value. */
export function isTransparent(
  node: ts.Expression,
): node is ts.ParenthesizedExpression | ts.AsExpression | ts.SatisfiesExpression | ts.NonNullExpression {
  return (
    ts.isParenthesizedExpression(node) ||
    ts.isAsExpression(node) ||
    ts.isSatisfiesExpression(node) ||
    ts.isNonNullExpression(node) ||
    ts.isTypeAssertionExpression(node)
  );
}

/** The expression inside parentheses and casts. */
export function bare(node: ts.Expression): ts.Expression {
  return isTransparent(node) ? bare(node.expression) : node;
}

/** The returned expression of a function that does nothing else. */
export function returnedBy({ body }: ts.FunctionLikeDeclaration): ts.Expression | undefined {
  if (body === undefined) return undefined;
  if (!ts.isBlock(body)) return body;
  const [only, ...more] = body.statements.filter((statement) => !isConstStatement(statement));
  return only && more.length === 0 && ts.isReturnStatement(only) ? only.expression : undefined;
}

function isConstStatement(statement: ts.Statement): boolean {
  return ts.isVariableStatement(statement) && (statement.declarationList.flags & ts.NodeFlags.Const) !== 0;
}

/** Source text of a node for a message, on one line and shortened. */
export function shortened(node: ts.Node): string {
  const text = node.getText().replace(/\s+/g, ' ');
  return text.length > 60 ? `${text.slice(0, 57)}...` : text;
}
