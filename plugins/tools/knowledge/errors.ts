import { defineErrors } from '../../../kernel/index.js';

export const KNOWLEDGE_ERRORS = defineErrors('plugins/tools/knowledge', {
  FW_TOOLS_SECTION: {
    message: 'The project configuration has no section "{section}". Sections: {known}.',
    status: 404,
    cause: 'fw_describe_schema was called with a name that is not a section.',
    remedy: 'Choose one of the sections that the message lists, or leave section out.',
  },
  FW_TOOLS_DOCUMENT: {
    message: 'The project configuration cannot be read: {problem}. See fw_describe_schema and fw_list_examples.',
    status: 422,
    cause: 'A tool was given a configuration that is not readable, or two of them.',
    remedy: 'Give one configuration, as an object in config or as YAML text in config_yaml.',
  },
  FW_TOOLS_PART: {
    message: '{place} has {parts} part(s); part {part} is none of them.',
    status: 404,
    cause: 'A place of the documentation was asked for with a part beyond its end, or below 1.',
    remedy: 'Ask for a part from 1 to the number in the message, or leave part out for the first.',
  },
  FW_TOOLS_IDIOM: {
    message: 'No idiom fits "{topic}". Rules: {known}.',
    status: 404,
    cause: 'fw_explain_idiom was called with something that is neither a rule nor part of one.',
    remedy: 'Choose one of the rules that the message lists, or leave topic out to see all.',
  },
});
