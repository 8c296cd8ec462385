import type { Project } from 'ts-morph';
import { jsonSchema } from '../orm/json-schema.js';
import { readModels } from '../orm/model-store.js';
import type { ModelSchemas } from './route-options.js';

/** JSON Schemas of the model classes of a project, as the ORM's generator writes them. */
export function modelSchemasOf(project: Project): ModelSchemas {
  return ({ name, file }) => {
    const model = readModels([file], project)[0]?.models.find((each) => each.name === name);
    return model && model.columns.length > 0 ? jsonSchema(model) : undefined;
  };
}
