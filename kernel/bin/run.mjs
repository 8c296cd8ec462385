import { spawn } from 'node:child_process';

/** Runs a command to its end with this process's terminal; ends this process with the command's exit code when it fails. */
export async function run(command, args, options) {
  const code = await runForwardingSignals(command, args, options);
  if (code !== 0) process.exit(code);
}

/** Runs a command, passes signals on to it, and resolves to its exit code. */
export function runForwardingSignals(command, args, options) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { stdio: 'inherit', ...options });
    const forward = (signal) => child.kill(signal);
    // On a terminal Ctrl-C reaches the whole process group, so the child has it already; it must only not end us first.
    const ignore = () => process.stdin.isTTY || child.kill('SIGINT');
    process.on('SIGTERM', forward).on('SIGINT', ignore);
    child.on('error', reject);
    child.on('exit', (code, signal) => {
      process.off('SIGTERM', forward).off('SIGINT', ignore);
      resolve(code ?? (signal === 'SIGINT' ? 130 : 143));
    });
  });
}
