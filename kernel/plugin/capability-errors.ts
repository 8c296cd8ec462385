import { defineErrors } from '../errors/index.js';

export const CAPABILITY_ERRORS = defineErrors('kernel/plugin (tools)', {
  FW_TOOL_TWICE: {
    message: 'Both {first} and {second} contribute a tool named {name}. Tool names are unique: rename one.',
    cause: 'Two plugins contribute tools with the same name.',
    remedy: 'Rename one of the tools, or disable one of the plugins.',
  },
  FW_TOOL_CATEGORY: {
    message: 'Tool {name} of {plugin} names the category "{category}". Expected one of: {known}.',
    cause: 'A tool must belong to exactly one of the eight categories.',
    remedy: 'Give the tool one of the eight categories.',
  },
});
