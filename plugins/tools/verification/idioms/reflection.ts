import type { ts as TypeScript } from 'ts-morph';
import { type IdiomRule, nodesOnRequestPath, type RuleInput } from './rule.js';

const EVALUATORS = new Set(['eval', 'require', 'Function']);

/** `no-reflection-in-handlers`: eval, new Function, require and metadata look-ups while a request is served. */
export const reflection: IdiomRule = {
  rule: 'no-reflection-in-handlers',
  *check(input) {
    for (const [file, node] of nodesOnRequestPath(input)) {
      const used = usedIn(node, input);
      if (used === undefined) continue;
      yield { file, start: node.getStart(), message: `${used} runs for every request`, fix: fixFor(used) };
    }
  },
};

function usedIn(node: TypeScript.Node, { sources: { ts }, names }: RuleInput): string | undefined {
  if (!ts.isCallExpression(node) && !ts.isNewExpression(node)) return undefined;
  const { expression: callee } = node;
  if (ts.isIdentifier(callee)) {
    const isEvaluator = EVALUATORS.has(callee.text) && names.isGlobal(callee);
    return isEvaluator ? `${ts.isNewExpression(node) ? 'new ' : ''}${callee.text}()` : undefined;
  }
  if (!ts.isPropertyAccessExpression(callee) || !ts.isIdentifier(callee.expression)) return undefined;
  const isReflect = callee.expression.text === 'Reflect' && names.isGlobal(callee.expression);
  return isReflect ? `Reflect.${callee.name.text}()` : undefined;
}

function fixFor(used: string): string {
  if (used === 'require()')
    return 'Import the module at the top of the file, or with await import() when the plugin starts.';
  if (used.startsWith('Reflect.'))
    return 'Name the property in the source; what depends on metadata belongs into a schema or a model, which fw codegen reads.';
  return 'Write the function out; where the code depends on data, choose among functions that exist, by a Map.';
}
