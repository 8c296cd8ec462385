import { defineErrors } from '../../../kernel/index.js';

export const WORKBENCH_ERRORS = defineErrors('plugins/tools/workbench', {
  FW_TOOLS_WORKBENCH_PROJECT: {
    message: '{path} is no project of fw that can run: {problem}.',
    status: 404,
    cause: 'The folder has no app.config.ts or no package.json, or the framework is not installed there.',
    remedy: 'Pass the folder of the project as path; run npm install there, or call fw_install.',
  },
  FW_TOOLS_WORKBENCH_COMMAND: {
    message: '{said}',
    status: 422,
    cause: 'The command that a tool ran in the project ended with an error, or took too long.',
    remedy: 'Do what the message says.',
  },
  FW_TOOLS_WORKBENCH_PACKAGE: {
    message:
      '{name} is no package of the registry. Expected a name, or name@version; paths, addresses and options are not taken.',
    status: 422,
    cause:
      'fw_install was given something else than a name, such as a path, which a path argument would have confined to the workspace.',
    remedy: 'Name a package of the registry; what lies elsewhere is installed by hand.',
  },
  FW_TOOLS_WORKBENCH_TEST: {
    message: 'There is no file {file} in {path}. Pass the path of a test file below the project.',
    status: 404,
    cause: 'fw_run_test was given a path that does not exist.',
    remedy: 'List the tests of the project and pass one of them.',
  },
  FW_TOOLS_WORKBENCH_STRANGER: {
    message:
      'Process {pid} is not ended: nothing but a file below .fw/running says that it serves {path}, and anybody may have written it. End it yourself.',
    status: 403,
    cause:
      "A process is ended only when the file below .fw/running and the one in the user's state folder name the same nonce, number and start time, and that process still runs.",
    remedy: 'Stop it where it was started.',
  },
});
