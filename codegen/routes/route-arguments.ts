import { ts } from 'ts-morph';
import { bare, type Environment, type Evaluator, FunctionValue, isPlain, unresolvedOf } from '../evaluator/index.js';

/** Arguments of a registration, told apart: options and middlewares in any order, the function last. */
interface SortedArguments {
  /** Object literals and what evaluates to an object. */
  readonly options: readonly ts.Expression[];
  readonly middlewares: readonly ts.Expression[];
  readonly last: ts.Expression | undefined;
}

/** Sorts the arguments between the path and the last one like the router: objects are options, the rest functions. */
export function sortArguments(
  args: readonly ts.Expression[],
  evaluator: Evaluator,
  environment: Environment,
): SortedArguments {
  const between = args.slice(0, -1);
  const isOptions = (node: ts.Expression) => looksLikeOptions(bare(node), evaluator, environment);
  return {
    options: between.filter(isOptions),
    middlewares: between.filter((node) => !isOptions(node)),
    last: args.at(-1),
  };
}

function looksLikeOptions(node: ts.Expression, evaluator: Evaluator, environment: Environment): boolean {
  if (ts.isObjectLiteralExpression(node)) return true;
  if (!ts.isIdentifier(node) && !ts.isPropertyAccessExpression(node)) return false;
  try {
    return isPlain(evaluator.evaluate(node, environment));
  } catch (error) {
    // An argument that is known only at run time is taken for a middleware, because middlewares mostly come from calls.
    if (unresolvedOf(error)) return false;
    throw error;
  }
}

/** Name that the function of an expression has at run time, as far as syntax tells. */
export function functionName(node: ts.Expression, evaluator: Evaluator, environment: Environment): string {
  const inner = bare(node);
  if (ts.isArrowFunction(inner)) return ANONYMOUS;
  if (ts.isFunctionExpression(inner)) return inner.name?.text ?? ANONYMOUS;
  if (ts.isPropertyAccessExpression(inner)) return inner.name.text;
  if (!ts.isIdentifier(inner)) return inner.getText().replace(/\s+/g, ' ');
  return declaredName(inner, evaluator, environment) ?? inner.text;
}

/** Name of a function without a name. */
export const ANONYMOUS = '(anonymous)';

// Uses the function's own name, even if an import renames it.
function declaredName(node: ts.Identifier, evaluator: Evaluator, environment: Environment): string | undefined {
  try {
    const value = evaluator.evaluate(node, environment);
    if (!(value instanceof FunctionValue)) return undefined;
    const { node: declaration } = value;
    if (declaration.name && ts.isIdentifier(declaration.name)) return declaration.name.text;
    const { parent } = declaration;
    return ts.isVariableDeclaration(parent) && ts.isIdentifier(parent.name) ? parent.name.text : undefined;
  } catch (error) {
    if (unresolvedOf(error)) return undefined;
    throw error;
  }
}
