import { defineErrors } from '../../kernel/errors/index.js';

export const LIBRARY_ERRORS = defineErrors('codegen/orm', {
  FW_CODEGEN_LIBRARY: {
    message: 'What the package says of its model classes cannot be read: {file}: {problem}.',
    cause:
      'The file that "fw": { "models": ... } in the package.json of an installed package names is missing, damaged, or of another version of the format.',
    remedy: 'Install the package anew, or a version of it that was built with this version of the framework.',
  },
  FW_CODEGEN_LIBRARY_WRITE: {
    message: 'What the package has to say of its model classes cannot be written: {problem}.',
    cause: 'package.json has "fw": { "models": ... }, which asks `fw build` for it.',
    remedy:
      'Name a file below ./dist/, mend the models that are named, and give classes with columns names of their own.',
  },
});
