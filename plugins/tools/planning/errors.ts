import { defineErrors } from '../../../kernel/index.js';

export const PLANNING_ERRORS = defineErrors('plugins/tools/planning', {
  FW_TOOLS_CHANGE_SET: {
    message: 'There is no open change set "{id}". Open: {open}. Begin one with fw_begin_change_set.',
    status: 404,
    cause: 'The id is unknown, was committed or discarded, or the server was restarted since.',
    remedy: 'Begin a new change set and stage the calls again.',
  },
  FW_TOOLS_CHANGE_SETS_FULL: {
    message: 'There are {limit} open change sets, which is the limit. Commit or discard one: {open}.',
    status: 429,
    cause: 'Change sets stay in memory until they are committed or discarded.',
    remedy: 'Call fw_commit_change_set or fw_discard_change_set.',
  },
  FW_TOOLS_CHANGE_SET_CALLS: {
    message: 'Change set {id} holds {limit} calls, which is the limit. Commit it, and begin another one.',
    status: 429,
    cause: 'The number of staged calls is bounded.',
    remedy: 'Call fw_commit_change_set.',
  },
  FW_TOOLS_STAGE: {
    message: '{tool} cannot be staged: {problem}. Stageable: fw_generate, fw_add.',
    status: 422,
    cause:
      'Only calls that write into an existing project can be staged, and they write where the change set was begun.',
    remedy: 'Do what the message says.',
  },
  FW_TOOLS_HISTORY: {
    message: '{file} cannot be read: {problem}.',
    status: 422,
    cause: 'The history of the project is unreadable.',
    remedy: 'Restore the file from version control, or delete it.',
  },
});
