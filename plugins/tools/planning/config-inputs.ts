import { Type } from '../../../kernel/index.js';
import { Anything, optional, optionalText, Text } from '../../../kernel/schema/index.js';

/** Inputs of the tools that take a project document. */
export const configInputs = {
  config: optional(Type.Record(Text, Anything, { description: 'see fw_describe_schema' })),
  config_yaml: optionalText('the same as YAML text'),
};
