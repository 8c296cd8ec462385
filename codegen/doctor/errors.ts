import { defineErrors } from '../../kernel/errors/index.js';

/** Findings of `fw doctor` that this room brings; those that are good have a code as well. */
export const GENERATED_FINDINGS = defineErrors('codegen/doctor', {
  FW_DOCTOR_GENERATED: {
    message: 'generated/ is current',
    cause: 'Nothing is wrong.',
    remedy: 'Nothing to do.',
  },
  FW_DOCTOR_SOURCE: {
    message: '{file}:{line}: {problem}',
    cause: 'A declaration of a model, route or event is one that code generation refuses.',
    remedy: 'Correct it where the finding says.',
  },
  FW_DOCTOR_STALE: {
    message: 'generated/ is not what the sources say: {files}',
    cause: 'A declaration changed, and code generation has not run since.',
    remedy: 'Run `{fw} codegen`.',
  },
});
