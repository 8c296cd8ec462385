import type { ts as TypeScript } from 'ts-morph';
import { type IdiomRule, nodesIn, type RuleInput } from './rule.js';

const FLEET = /^fw\/fleet(\/tracer)?$/;

/** `fleet-before-dashboard`: the order of the two in the list of plugins. */
export const pluginOrder: IdiomRule = {
  rule: 'fleet-before-dashboard',
  *check(input) {
    const { ts, files } = input.sources;
    const file = files.find(({ path }) => path === 'app.config.ts');
    if (!file) return;
    for (const node of nodesIn(ts, file.tree)) {
      if (!ts.isArrayLiteralExpression(node)) continue;
      const modules = node.elements.map((element) => importedBy(element, input));
      const dashboard = modules.indexOf('fw/dashboard');
      const fleet = modules.findIndex((module) => module !== undefined && FLEET.test(module));
      if (dashboard === -1 || fleet < dashboard) continue;
      const [first, second] = [node.elements[dashboard], node.elements[fleet]] as [
        TypeScript.Expression,
        TypeScript.Expression,
      ];
      const between = file.text.slice(first.getEnd(), second.getStart());
      yield {
        file,
        start: first.getStart(),
        message: 'the dashboard stands before Fleet, so that what it records has no trace id',
        fix: 'Move the entry of fw/fleet before that of fw/dashboard in the list of plugins.',
        replacement: {
          from: `${first.getText()}${between}${second.getText()}`,
          to: `${second.getText()}${between}${first.getText()}`,
        },
      };
    }
  },
};

// `plugin(() => import('fw/dashboard'), ...)`
function importedBy(element: TypeScript.Expression, { sources: { ts } }: RuleInput): string | undefined {
  if (!ts.isCallExpression(element)) return undefined;
  for (const node of element.arguments[0] ? nodesIn(ts, element.arguments[0]) : []) {
    if (!ts.isCallExpression(node) || node.expression.kind !== ts.SyntaxKind.ImportKeyword) continue;
    const [specifier] = node.arguments;
    if (specifier && ts.isStringLiteral(specifier)) return specifier.text;
  }
  return undefined;
}
