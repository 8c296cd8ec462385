/** What the system knows of a process. */
export interface ProcessStatus {
  readonly start: string;
  /** Whether it has ended, and only its number is still taken. */
  readonly ended: boolean;
}

const PS_TIMEOUT_MS = 2_000;

/**
 * Asks `ps` about a process, as on macOS and the BSDs, where there is no /proc. Its times are those of the C locale and UTC, so that two of
 * them can be compared.
 */
export function statusOfPs(pid: number): ProcessStatus | undefined {
  // Loaded lazily: on Linux nobody needs the module.
  const { spawnSync } = process.getBuiltinModule('node:child_process');
  const args = ['-o', 'state=,lstart=', '-p', String(pid)];
  const env = { LC_ALL: 'C', TZ: 'UTC' };
  const { stdout } = spawnSync('/bin/ps', args, { env, encoding: 'utf8', timeout: PS_TIMEOUT_MS });
  return statusInPs(stdout ?? '');
}

/** Reads its line, such as `S+   Fri Nov 27 00:12:01 2026`. */
export function statusInPs(line: string): ProcessStatus | undefined {
  const [, state, start] = /^\s*(\S+)\s+(\S.*\S)\s*$/.exec(line) ?? [];
  return start === undefined
    ? undefined
    : { start: start.replace(/\s+/g, ' '), ended: state?.startsWith('Z') === true };
}
