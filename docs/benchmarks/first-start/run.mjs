// From a clone to the first answer, phase by phase: `node docs/benchmarks/first-start/run.mjs` in a checkout whose packages are in the
// cache of npm. Clones what is committed; nothing of the checkout is used but its history.
import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { freePort } from '../harness/free-port.mjs';

const ROOT = path.resolve(import.meta.dirname, '../../..');
/** What the start says at the end of each phase. */
const PHASES = [
  ['packages', /^added \d+ packages/m],
  ['framework', /^built dist\//m],
  ['generated/', /^generated\//m],
  ['application', /^built \d+ files/m],
  ['start', /is up/m],
];
const ASK_MS = 50;

// It has no options: one that is given is refused.
parseArgs({ options: {} });
const folder = mkdtempSync(path.join(tmpdir(), 'fw-first-start-'));
const clone = path.join(folder, 'clone');
const load = loadavg()[0].toFixed(1);
const seconds = (from) => (performance.now() - from) / 1000;
try {
  const begin = performance.now();
  execFileSync('git', ['clone', '--quiet', ROOT, clone]);
  const phases = [['clone', seconds(begin)]];
  const port = await freePort();
  const env = { ...process.env, PORT: String(port) };
  const started = spawn('npm', ['start'], { cwd: clone, env, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
  let said = '';
  const heard = (text) => {
    said += text;
    while (phases.length <= PHASES.length && PHASES[phases.length - 1][1].test(said))
      phases.push([PHASES[phases.length - 1][0], seconds(begin)]);
  };
  for (const stream of [started.stdout, started.stderr]) stream.setEncoding('utf8').on('data', heard);
  const ended = new Promise((resolve) => started.once('exit', resolve));
  const answers = () =>
    fetch(`http://127.0.0.1:${port}/livez`).then(
      ({ ok }) => ok,
      () => false,
    );
  while (!(await answers())) {
    if (started.exitCode !== null) throw new Error(`npm start ended with ${started.exitCode}:\n${said}`);
    await new Promise((resolve) => setTimeout(resolve, ASK_MS));
  }
  phases.push(['first answer', seconds(begin)]);
  process.kill(-started.pid, 'SIGTERM');
  await ended;
  console.log(`Node ${process.version}, load average ${load} before`);
  let before = 0;
  for (const [name, at] of phases) {
    console.log(`${name.padEnd(14)} ${(at - before).toFixed(1).padStart(6)} s   after ${at.toFixed(1)} s`);
    before = at;
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
