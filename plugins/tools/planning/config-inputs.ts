import { Type } from '../../../kernel/index.js';

/** Inputs of the tools that take a project document. */
export const configInputs = {
  config: Type.Optional(Type.Record(Type.String(), Type.Unknown(), { description: 'see fw_describe_schema' })),
  config_yaml: Type.Optional(Type.String({ description: 'the same as YAML text' })),
};
