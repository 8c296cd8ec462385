import { defineErrors } from '../../../kernel/index.js';

export const INTROSPECTION_ERRORS = defineErrors('plugins/tools/introspection', {
  FW_TOOLS_FEATURE: {
    message: 'There is no feature "{name}". Features: {known}.',
    status: 404,
    cause: 'fw_features or fw_add was called with a name that is neither a feature nor an alias of one.',
    remedy: 'Choose one of the features that the message lists.',
  },
  FW_TOOLS_NO_ROUTES_FILE: {
    message:
      'There is no {file} in {dir}. Expected the root of a project whose code was generated: run `{fw} codegen` there, or pass its path as dir.',
    status: 404,
    cause: 'fw_routes reads what fw codegen wrote; there is nothing yet, or the folder is not the root of a project.',
    remedy: 'Run `{fw} codegen` in the project, or name the project folder.',
  },
  FW_TOOLS_ROUTES_FILE: {
    message: '{file} in {dir} cannot be read: {problem}. Expected what `{fw} codegen` writes; run it again.',
    status: 422,
    cause: 'The generated route list was edited, cut off or written by another version.',
    remedy: 'Run `{fw} codegen`.',
  },
});
