// Bytes that one findById on SQLite leaves for the garbage collector: see `heapTable` for its flags.
import { open } from './subjects.mjs';

const WARM = 20_000;
// Few enough that nothing is collected meanwhile.
const CALLS = 2_000;
const { operations } = await open(`sqlite/${process.argv[2]}`, 'subject');
for (let n = 0; n < WARM; n++) await operations.findById(n);
/** @type {() => void} */ (globalThis.gc)();
const before = process.memoryUsage().heapUsed;
for (let n = 0; n < CALLS; n++) await operations.findById(n);
console.log(`${(process.memoryUsage().heapUsed - before) / CALLS} bytes`);
process.exit(0);
