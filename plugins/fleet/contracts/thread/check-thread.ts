import { parentPort, workerData } from 'node:worker_threads';
import { CheckTasks } from './check-tasks.js';
import { type Batch, PLACES, type ThreadData } from './protocol.js';

// The thread that reads documents and bodies of other services. Its parent watches the shared progress, and ends the thread when it stands
// still.
const { progress } = workerData as ThreadData;
const tasks = new CheckTasks({
  begin: () => Atomics.store(progress, PLACES.inPattern, 1),
  end: () => Atomics.store(progress, PLACES.inPattern, 0),
});

parentPort?.on('message', (batch: Batch) => {
  const outcomes = tasks.run(batch, () => {
    Atomics.store(progress, PLACES.inPattern, 0);
    Atomics.add(progress, PLACES.begun, 1);
  });
  parentPort?.postMessage(outcomes);
});
// Reports that the thread is loaded.
parentPort?.postMessage([]);
