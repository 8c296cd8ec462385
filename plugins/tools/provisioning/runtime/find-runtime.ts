import { findCommand, fwError, runProcess } from '../../../../kernel/index.js';
import { PROXY_VARIABLES } from '../../../../kernel/process/index.js';
import { PROVISIONING_ERRORS } from '../errors.js';
import { checkArguments, TEMPLATES } from './argument-check.js';

/** Variables of docker and podman for the engine and its configuration files; the operator sets them. */
export const RUNTIME_VARIABLES = [
  'CONTAINERS_CONF', 'CONTAINERS_STORAGE_CONF', 'CONTAINERS_REGISTRIES_CONF', 'CONTAINER_HOST', 'CONTAINER_CONNECTION',
  'REGISTRY_AUTH_FILE', 'DOCKER_HOST', 'DOCKER_CONTEXT', 'DOCKER_CONFIG', 'DOCKER_CERT_PATH', 'DOCKER_TLS_VERIFY',
  'DBUS_SESSION_BUS_ADDRESS', ...PROXY_VARIABLES,
]; // prettier-ignore

const PROBE_TIMEOUT_MS = 30_000;

const INSTALL =
  'Install podman (Debian and Ubuntu: apt-get install podman; macOS: brew install podman) or Docker Engine (https://docs.docker.com/engine/install/), or set FW_CONTAINER_RUNTIME.';
const START =
  'Start its engine (systemctl start docker; podman machine start), or name another runtime in FW_CONTAINER_RUNTIME.';

/**
 * Finds a container runtime whose engine answers; skips a client without an engine.
 *
 * @param wanted - programs in order of preference
 * @returns path of the program
 * @throws FwError `FW_PROVISION_RUNTIME` with what is missing and what to install
 */
export async function findRuntime(wanted: readonly string[], signal: AbortSignal | undefined): Promise<string> {
  const tried: string[] = [];
  let isInstalled = false;
  for (const name of wanted) {
    const found = await findCommand(name);
    if (!found) {
      tried.push(`${name} is not installed`);
      continue;
    }
    isInstalled = true;
    const problem = await engineProblem(found.path, signal);
    signal?.throwIfAborted();
    if (problem === undefined) return found.path;
    tried.push(`${name} is installed, but ${problem}`);
  }
  const details = { tried: tried.join('; '), remedy: isInstalled ? START : INSTALL };
  throw fwError(PROVISIONING_ERRORS.FW_PROVISION_RUNTIME, details);
}

async function engineProblem(command: string, signal: AbortSignal | undefined): Promise<string | undefined> {
  const args = ['version', '--format', TEMPLATES.server];
  checkArguments(args);
  const limits = { timeoutMs: PROBE_TIMEOUT_MS, maxOutputBytes: 10_000 };
  const ended = await runProcess({ command, args, cwd: '/', inherit: RUNTIME_VARIABLES, signal, ...limits });
  if (ended.exitCode === 0 && ended.stdout.trim() !== '') return undefined;
  if (ended.timedOut) return `its engine did not answer within ${PROBE_TIMEOUT_MS / 1000} s`;
  return `its engine does not answer (${firstLine(ended.stderr) || `exit code ${ended.exitCode}`})`;
}

/** First line that is not empty. */
function firstLine(text: string): string {
  return (
    text
      .split('\n')
      .map((line) => line.trim())
      .find(Boolean)
      ?.slice(0, 300) ?? ''
  );
}
