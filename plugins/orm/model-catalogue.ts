import type { ModelCatalogue } from '../../kernel/index.js';
import { answerSchema } from './answer-schema.js';
import { databasesOf, isModelClass, type ModelClass, modelFacts, modelInfoOf, registeredModels } from './core/index.js';

/** Tells the API reference about the models that generated code has registered. */
export const modelCatalogue: ModelCatalogue = {
  models: () =>
    registeredModels().map((info) =>
      modelFacts({
        name: info.name,
        table: info.table,
        databases: databasesOf(info),
        columns: info.definition.columns,
        relations: (info.definition.relations ?? []).map(({ property, kind, target }) => ({
          property,
          kind,
          target: target().name,
        })),
      }),
    ),
  schemaOf: (model) => {
    const known = registeredModels().some(({ target }) => target === model);
    return known ? modelInfoOf(model as ModelClass).definition.schema : undefined;
  },
  answerOf: (model) => (isModelClass(model) ? answerSchema(model) : undefined),
};
