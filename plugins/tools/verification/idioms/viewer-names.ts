import { type IdiomRule, nodesIn } from './rule.js';

const RENAMED: ReadonlyMap<string, string> = new Map(
  Object.entries({
    scalarMiddleware: 'docsUIMiddleware',
    swaggerMiddleware: 'docsUIMiddleware',
    ScalarOptions: 'DocsUIOptions',
    SwaggerOptions: 'DocsUIOptions',
  }),
);

/** `docs-ui-is-the-viewer`: imports of names that are deprecated aliases (SPEC "Versioning"). */
export const viewerNames: IdiomRule = {
  rule: 'docs-ui-is-the-viewer',
  *check({ sources: { ts, files } }) {
    for (const file of files) {
      for (const node of nodesIn(ts, file.tree)) {
        if (!ts.isImportDeclaration(node) || !ts.isStringLiteral(node.moduleSpecifier)) continue;
        if (node.moduleSpecifier.text !== 'fw/docs') continue;
        const bindings = node.importClause?.namedBindings;
        for (const element of bindings && ts.isNamedImports(bindings) ? bindings.elements : []) {
          const old = (element.propertyName ?? element.name).text;
          const now = RENAMED.get(old);
          if (now === undefined) continue;
          yield {
            file,
            start: element.getStart(),
            message: `${old} is a deprecated name of ${now}`,
            fix: `Import and use ${now}: it is the same.`,
            replacement: { from: old, to: now },
          };
        }
      }
    }
  },
};
