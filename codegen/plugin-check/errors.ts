import { defineErrors } from '../../kernel/errors/index.js';

export const PLUGIN_CHECK_ERRORS = defineErrors('codegen/plugin-check', {
  FW_PLUGIN_CHECK_PACKAGE: {
    message: '{path} cannot be checked: {problem}. Expected the folder of an npm package.',
    status: 422,
    cause: 'fw plugin check was started in a folder that has no readable package.json.',
    remedy: 'Name the folder that has the package.json of the plugin.',
  },
  FW_PLUGIN_CHECK_OPTIONS: {
    message:
      '--options is not usable: {problem}. Expected the text of a JSON object: names of options with their values.',
    status: 422,
    cause: 'The options that the plugin is checked with must be one JSON object.',
    remedy: 'Quote the JSON for your shell.',
  },
});
