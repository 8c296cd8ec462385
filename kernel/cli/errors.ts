import { defineErrors } from '../errors/index.js';

export const CLI_ERRORS = defineErrors('kernel/cli', {
  FW_CLI_USAGE: {
    message: '{problem}',
    cause: 'A command was called with an argument or option that it does not have, or without one that it needs.',
    remedy: 'Look at `{fw} <command> --help`.',
  },
  FW_CLI_UNCAUGHT: {
    message: 'An uncaught error ended the start of {name}: {reason}.',
    cause:
      'Something that a plugin began while it started failed, and nobody waited for it: a promise without `await`, a timer, a stream.',
    remedy: 'The stack says where. Wait for the promise, or handle its error.',
  },
  FW_CLI_FAILED: {
    message: '{problem}',
    cause: 'A command that was asked for JSON failed with an error that no part of the framework names.',
    remedy: 'The stack on standard error says where; without one of your own files in it, report it.',
  },
});
