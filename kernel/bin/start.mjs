// `npm start`: from a fresh clone to the running reference app. Plain JavaScript on built-ins, since nothing is installed yet.
import path from 'node:path';
import { buildFramework, ensureInstalled } from './ensure-installed.mjs';
import { run, runForwardingSignals } from './run.mjs';

const root = path.resolve(import.meta.dirname, '../..');
const fw = path.join(root, 'dist/kernel/bin/fw.js');

const built = await ensureInstalled(root, { scope: 'start' });
if (!built) await buildFramework(root, 'start');
await run(process.execPath, [fw, 'codegen'], { cwd: root });
// Types are left to `npm run typecheck`: together with the framework's own sources they take a minute.
await run(process.execPath, [fw, 'build', '--no-check'], { cwd: root });
process.exitCode = await runForwardingSignals(process.execPath, [fw, 'start', ...process.argv.slice(2)], { cwd: root });
