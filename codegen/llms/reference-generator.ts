import { modelFacts } from '../../plugins/orm/core/index.js';
import type { Generator, GeneratorInput } from '../engine/generator.js';
import { portable } from '../engine/globs.js';
import { databasesOf } from '../orm/model-databases.js';
import type { ModelSource } from '../orm/model-source.js';
import { readModels } from '../orm/model-store.js';
import { writtenJson } from '../text/index.js';
import { type DocsOptionsReading, readDocsOptions } from './docs-options.js';
import { REFERENCE_FILE, type ReferenceFacts } from './reference-facts.js';

const NOTHING: DocsOptionsReading = { options: {}, files: [], unresolved: [] };

/** Writes `reference.json`: the content of the llms files besides the routes, so that `fw llms` needs no parser. */
export const referenceGenerator: Generator = {
  name: 'reference',
  generate: (input) => {
    const models = readModels(input.models, input.project).flatMap((read) => read.models);
    const docs = input.config ? readDocsOptions(input.project, input.config.compilerNode) : NOTHING;
    const sources = [...models.map(({ file }) => file), ...docs.files];
    const content = writtenJson(factsOf(input, models, docs));
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

function factsOfModel(model: ModelSource) {
  const { name, table, columns, relations } = model;
  return modelFacts({
    name,
    table,
    databases: databasesOf(model),
    columns: columns.map(({ property, kind, nullable, tag, json }) => ({
      property,
      column: tag.column,
      kind,
      nullable,
      primaryKey: tag.primaryKey,
      ...(json?.excluded && { json: '-' }),
      ...(json?.writeOnly && { writeOnly: true }),
    })),
    relations,
  });
}
