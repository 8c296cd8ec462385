import type { ts as TypeScript } from 'ts-morph';
import { type IdiomRule, nodesIn, type RuleInput } from './rule.js';
import { isTestFile } from './sources.js';

const SQL = /^\s*(select\s|insert\s+into\s|update\s|delete\s+from\s|with\s)/i;
const TABLE = /\b(?:from|into|update|join)\s+["'`[]?(\w+)/gi;

/** `generated-model-accessors`: SQL text that names a table of the project's own models. */
export const columnNames: IdiomRule = {
  rule: 'generated-model-accessors',
  *check(input) {
    const { sources, tables } = input;
    for (const file of sources.files) {
      // Migrations change tables, for which accessors do not exist; tests read tables directly.
      if (/(^|\/)(generated|migrations)\//.test(file.path) || isTestFile(file.path)) continue;
      for (const node of nodesIn(sources.ts, file.tree)) {
        const text = textOf(node, input);
        if (text === undefined || !SQL.test(text)) continue;
        const table = [...text.matchAll(TABLE)].map(([, name = '']) => name).find((name) => tables.has(name));
        const model = table && tables.get(table);
        if (!model) continue;
        yield {
          file,
          start: node.getStart(),
          message: `SQL text names the table ${table} of model ${model}`,
          fix: `Query it with model(db, ${model}) and the accessors of generated/, which follow when a column is renamed.`,
        };
      }
    }
  },
};

function textOf(node: TypeScript.Node, { sources: { ts } }: RuleInput): string | undefined {
  if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) return node.text;
  if (!ts.isTemplateExpression(node)) return undefined;
  return node.head.text + node.templateSpans.map(({ literal }) => `?${literal.text}`).join('');
}
