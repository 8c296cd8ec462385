export { cleanEnvironment, type EnvironmentRequest } from './clean-environment.js';
export { loaderOf } from './environment-rules.js';
export { PROCESS_ERRORS } from './errors.js';
export { findCommand, type FindOptions, type FoundCommand } from './find-command.js';
export { runProcess, type OutputName, type RunRequest, type RunResult } from './run-process.js';
export type { ChildRequest, ProcessExit } from './spawn-child.js';
export { exitWhenAskedToStop, untilAskedToStop, type StopCause, type StopRequest } from './stop-request.js';
export { untilUncaughtError } from './uncaught-errors.js';
export {
  startProcess,
  type ChildChannel,
  type LineListener,
  type RunningProcess,
  type StartRequest,
  type WaitForLine,
} from './start-process.js';
