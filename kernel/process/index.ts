export { loaderOf, PROXY_VARIABLES } from './environment-rules.js';
export { findCommand, type FindOptions, type FoundCommand } from './find-command.js';
export { leaveRunning } from './leave-running.js';
export { runProcess, type OutputName, type RunRequest, type RunResult } from './run-process.js';
export type { ChildRequest, ProcessExit } from './spawn-child.js';
export { untilAskedToStop, type StopCause, type StopRequest } from './stop-request.js';
export { untilUncaughtError } from './uncaught-errors.js';
export {
  startProcess,
  type LineListener,
  type RunningProcess,
  type StartRequest,
  type WaitForLine,
} from './start-process.js';
