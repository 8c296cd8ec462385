import { defineErrors } from '../errors/index.js';

export const PROCESS_ERRORS = defineErrors('kernel/process', {
  FW_PROCESS_NOT_FOUND: {
    message:
      'The command "{command}" was not found. Looked in: {searched}. Install it, put its folder on PATH, or name it by its full path.',
    cause: 'The program is not installed, or PATH of this process does not contain its folder.',
    remedy: 'Install the program, or start fw with a PATH that contains it.',
  },
  FW_PROCESS_DIRECTORY: {
    message: 'The command "{command}" cannot start in {cwd}, which is not a directory. Name a directory that exists.',
    cause: 'The working directory does not exist, or is a file.',
    remedy: 'Create the directory, or correct its spelling.',
  },
  FW_PROCESS_ARGUMENT: {
    message: 'The command "{command}" cannot be started: {problem}. Expected {expected}.',
    cause: 'An argument, a variable or the name of the command is something that no operating system can hand over.',
    remedy: 'Correct the value that the message names.',
  },
  FW_PROCESS_LIMIT: {
    message: 'Option {option} of a child process is {value}. Expected {expected}.',
    cause: 'A limit is missing, negative, not a number, or longer than a timer can wait.',
    remedy: 'Give a limit in the range that the message names.',
  },
  FW_PROCESS_SPAWN: {
    message: 'The command "{command}" could not be started: {reason}. Check that it may be executed on this machine.',
    cause: 'The operating system refused to start the program: permissions, resources, or a wrong file format.',
    remedy: 'See the reason in the message; the cause is attached to the error.',
  },
  FW_PROCESS_OUTPUT: {
    message: 'Reading what the command "{command}" printed, or giving it its input, failed: {reason}. It was ended.',
    cause: 'The pipe to the child broke.',
    remedy: 'Run the command again; the cause is attached to the error.',
  },
  FW_PROCESS_LINE: {
    message: 'The command "{command}" {ending} before it printed a line that matches {pattern}. Last lines: {lines}',
    cause: 'A long-running child ended, or took longer than it was given, before it said that it was ready.',
    remedy: 'Read the last lines; they usually name the reason. Give it more time when it is really that slow.',
  },
});
