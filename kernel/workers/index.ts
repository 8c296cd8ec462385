export { superviseWorkers, workerCount } from './supervise.js';
export { thisWorker, type ThisWorker } from './worker.js';
