import { defineErrors } from '../../../kernel/index.js';

export const LOCALE_ERRORS = defineErrors('middleware/locale', {
  FW_LOCALE_NO_FILES: {
    message: 'There are no locale files in {dir}. Expected files such as en.json with messages in ICU syntax.',
    cause: 'The folder of the option `dir` is missing or has no .json files.',
    remedy: 'Add <locale>.json files, or set `dir` to the folder that has them.',
  },
  FW_LOCALE_FILE: {
    message: 'The locale file {file} cannot be used: {problem}',
    cause: 'The file is not JSON, is not an object of messages, or a message is not valid ICU syntax.',
    remedy: 'Correct the file at the place that the message names.',
  },
  FW_LOCALE_DEFAULT: {
    message: 'The default locale "{locale}" has no file in {dir}. There are: {found}.',
    cause: 'The option `defaultLocale` names a locale that is not loaded.',
    remedy: 'Add the file, or set `defaultLocale` to one of those that are there.',
  },
});
