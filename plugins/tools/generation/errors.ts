import { defineErrors } from '../../../kernel/index.js';

/** Codes of the generating tools. */
export const GENERATION_ERRORS = defineErrors('plugins/tools/generation', {
  FW_TOOLS_DOCUMENT_INVALID: {
    message:
      'The project configuration is wrong: {problems}. See fw_describe_schema; fw_plan_project checks without writing.',
    status: 422,
    cause: 'A tool was given a configuration with values that do not fit its schema or each other.',
    remedy: 'Correct what the message lists.',
  },
  FW_TOOLS_FLAG_VALUE: {
    message: 'The flag {flag} must be text, a number, true, false or null.',
    status: 422,
    cause: 'The flags of fw_generate and fw_add are those of the command line.',
    remedy: 'Give a plain value.',
  },
});
