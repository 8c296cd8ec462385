import { modelFacts } from '../../plugins/orm/core/index.js';
import type { Generator, GeneratorInput } from '../engine/generator.js';
import { portable } from '../engine/globs.js';
import type { ModelSource } from '../orm/model-source.js';
import { readModels } from '../orm/read-models.js';
import { type DocsOptionsReading, readDocsOptions } from './docs-options.js';
import { REFERENCE_FILE, type ReferenceFacts } from './reference-facts.js';

const NOTHING: DocsOptionsReading = { options: {}, files: [], unresolved: [] };

/** Writes `reference.json`: what the llms files say beside the routes, so that `fw llms` needs no parser. */
export const referenceGenerator: Generator = {
  name: 'reference',
  generate: (input) => {
    const models = input.models.flatMap((file) => readModels(file, input.project).models);
    const docs = input.config ? readDocsOptions(input.project, input.config.compilerNode) : NOTHING;
    const sources = [
      ...models.flatMap(({ file, alsoFrom }) => [file.getFilePath() as string, ...alsoFrom]),
      ...docs.files,
    ];
    const content = `${JSON.stringify(factsOf(input, models, docs), null, 2)}\n`;
    return [{ path: REFERENCE_FILE, content, sources: [...new Set(sources)].sort() }];
  },
};

function factsOf({ root }: GeneratorInput, models: readonly ModelSource[], docs: DocsOptionsReading): ReferenceFacts {
  return {
    docs: docs.options,
    models: models.map(factsOfModel).sort((a, b) => (a.name < b.name ? -1 : 1)),
    unresolved: docs.unresolved.map(({ what, file, line, reason }) => ({
      what,
      file: portable(root, file),
      line,
      reason,
    })),
  };
}

function factsOfModel({ name, table, columns, relations }: ModelSource) {
  return modelFacts({
    name,
    table,
    columns: columns.map(({ property, kind, nullable, tag }) => ({
      property,
      column: tag.column,
      kind,
      nullable,
      primaryKey: tag.primaryKey,
    })),
    relations,
  });
}
