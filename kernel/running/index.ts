export {
  isVouched,
  RunningEntry,
  type RunningApp,
  runningApps,
  runningAppsIn,
  type ServingState,
} from './running-apps.js';
