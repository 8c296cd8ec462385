// npm run bench:agents: plays the recorded sessions over several seeds, in Jest, which compiles the sources.
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { parseArgs } from 'node:util';

const ROOT = path.resolve(import.meta.dirname, '../../..');
const { values } = parseArgs({ options: { seeds: { type: 'string', default: '5' } } });
if (!/^[1-9]\d*$/.test(values.seeds)) {
  process.stderr.write(`--seeds takes a number above 0; it was given ${values.seeds}.\n`);
  process.exit(2);
}
const args = ['--experimental-vm-modules', '--no-warnings', 'node_modules/jest/bin/jest.js', 'docs/benchmarks/agents'];
const { status } = spawnSync(process.execPath, args, {
  cwd: ROOT,
  stdio: 'inherit',
  env: { ...process.env, FW_AGENTS_SEEDS: values.seeds },
});
process.exit(status ?? 1);
