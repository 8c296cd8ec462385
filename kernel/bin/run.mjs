import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { STARTED_BY, whenStarterEnds } from './started-by.mjs';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/** One function for each running command: it passes a signal on to that command. */
const running = new Set();

whenStarterEnds(() => {
  if (running.size === 0) process.exit(exitCodeOf('SIGTERM'));
  for (const forward of running) forward('SIGTERM');
});

/** Runs a command to its end with this process's terminal; ends this process with the command's exit code when it fails. */
export async function run(command, args, options) {
  const code = await runForwardingSignals(command, args, options);
  if (code !== 0) process.exit(code);
}

/**
 * Runs a command and resolves to its exit code. A signal to this process, and the end of the process that started this one, are passed on
 * to the command. If this process is killed, a command of `fw` stops by itself: it is told the process id to watch.
 */
export function runForwardingSignals(command, args, { env = process.env, ...options } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      stdio: 'inherit',
      ...options,
      env: { ...env, [STARTED_BY]: String(process.pid) },
    });
    const forward = (signal) => child.kill(signal);
    running.add(forward);
    for (const signal of SIGNALS) process.on(signal, forward);
    child.on('error', reject);
    child.on('exit', (code, signal) => {
      for (const each of SIGNALS) process.off(each, forward);
      running.delete(forward);
      resolve(code ?? exitCodeOf(signal));
    });
  });
}

// The exit code that shells give for a signal: 128 and its number.
function exitCodeOf(signal) {
  return 128 + (constants.signals[signal] ?? 0);
}
