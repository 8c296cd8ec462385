import { findCommand, fwError } from '../../../../kernel/index.js';
import { PROXY_VARIABLES } from '../../../../kernel/process/index.js';
import { VERIFICATION_ERRORS } from '../errors.js';
import { runChild } from '../node/program.js';
import type { RunContext } from '../project.js';
import type { ProgramRun } from '../step.js';

const OUTPUT_BYTES = 8 << 20;
// Environment variables of the go command, besides the ordinary ones (https://pkg.go.dev/cmd/go#hdr-Environment_variables).
const INHERITED = [
  ...['GOROOT', 'GOPATH', 'GOCACHE', 'GOMODCACHE', 'GOPROXY', 'GOPRIVATE', 'GONOPROXY', 'GOSUMDB', 'GONOSUMDB'],
  ...['GOFLAGS', 'GOTOOLCHAIN', 'GOWORK', 'CGO_ENABLED'],
  ...PROXY_VARIABLES,
];

/** Runs the go command in a module. */
export type RunGo = (args: readonly string[], timeoutMs: number) => Promise<ProgramRun>;

/**
 * The go command, for one module.
 * @throws FwError `FW_TOOLS_NO_GO`
 */
export async function goIn(root: string, { signal }: RunContext): Promise<RunGo> {
  const go = await findCommand('go');
  if (!go) throw fwError(VERIFICATION_ERRORS.FW_TOOLS_NO_GO, { path: root });
  return (args, timeoutMs) =>
    runChild(['go', ...args].join(' '), {
      command: go.path,
      args,
      cwd: root,
      timeoutMs,
      maxOutputBytes: OUTPUT_BYTES,
      signal,
      env: { GO111MODULE: 'on' },
      inherit: INHERITED,
    });
}
