// A process that opens one subject on SQLite and reads one row: `node start.mjs <subject>`.
import { open } from './subjects.mjs';

const { operations } = await open(`sqlite/${process.argv[2]}`, 'subject');
await operations.findById(1);
console.log('ready');
process.stdin.resume();
