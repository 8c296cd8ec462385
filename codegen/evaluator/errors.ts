import { defineErrors } from '../../kernel/errors/index.js';

export const EVALUATOR_ERRORS = defineErrors('codegen/evaluator', {
  FW_CODEGEN_UNRESOLVED: {
    message: '{reason}',
    cause: 'An expression is only known at run time, so code generation cannot tell its value.',
    remedy:
      'Write it with literals, const bindings, TypeBox builders and imports of files of the project, or accept that it is marked unresolved.',
  },
});
