/** What a bench is written with. See docs/benchmarks/README.md. */
export { Connections, exchange } from './connections.mjs';
export { AWAKE, CORES, keepCoresAwake, keepOffMeasuredCore, leaveMeasuredCore, onMeasuredCore } from './cores.mjs';
export { versionOf } from './environment.mjs';
export { sampleStart } from './fresh-process.mjs';
export { freePort } from './free-port.mjs';
export { besideFloor, FLOOR, floorControl } from './floor.mjs';
export { slicesInFreshProcesses } from './fresh-slices.mjs';
export { isWanted } from './only.mjs';
export { jsonLines } from './json-lines.mjs';
export { messageOf } from './message-of.mjs';
export { pairedSlices } from './paired-slices.mjs';
export { cpuMs, rssMiB } from './process-facts.mjs';
export { roundsOfProcesses } from './processes.mjs';
export { controlName, controlOf, runRounds, tableOfRounds } from './rounds.mjs';
export { buildProduct, PRODUCT_ROOT } from './build-product.mjs';
