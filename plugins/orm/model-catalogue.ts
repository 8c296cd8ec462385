import type { ModelCatalogue } from '../../kernel/index.js';
import { answerSchema } from './answer-schema.js';
import { isModelClass, type ModelClass, modelFacts, modelInfoOf, registeredModels } from './core/index.js';

/** Tells the API reference about the models that generated code has registered. */
export const modelCatalogue: ModelCatalogue = {
  models: () =>
    registeredModels().map(({ name, table, definition }) =>
      modelFacts({
        name,
        table,
        columns: definition.columns,
        relations: (definition.relations ?? []).map(({ property, kind, target }) => ({
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
