import { ts } from 'ts-morph';
import { bare, type Environment, type Evaluator, ForeignValue, unresolvedOf } from '../evaluator/index.js';

// Position of the RouteDoc among the arguments.
const DOC_ARGUMENT: ReadonlyMap<string, number> = new Map(
  Object.entries({
    doc: 2,
    docGET: 1,
    docPOST: 1,
    docPUT: 1,
    docPATCH: 1,
    docDELETE: 1,
  }),
);

/** The documentation that a middleware carries, when it is a `doc` wrapper of fw/docs. */
export function docOf(
  middleware: ts.Expression,
  evaluator: Evaluator,
  environment: Environment,
): ts.Expression | undefined {
  const call = bare(middleware);
  if (!ts.isCallExpression(call)) return undefined;
  try {
    const callee = evaluator.evaluate(call.expression, environment);
    if (!(callee instanceof ForeignValue) || callee.module !== 'fw/docs') return undefined;
    const position = DOC_ARGUMENT.get(callee.name);
    return position === undefined ? undefined : call.arguments[position];
  } catch (error) {
    if (unresolvedOf(error)) return undefined;
    throw error;
  }
}
