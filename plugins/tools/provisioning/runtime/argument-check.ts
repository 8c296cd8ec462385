import path from 'node:path';
import { fwError } from '../../../../kernel/index.js';
import { PROVISIONING_ERRORS } from '../errors.js';
import { CONTAINER_PORTS, HOST_PORTS } from './container-ports.js';
import { CONTAINER_VARIABLES } from './container-variables.js';

const REFUSED: readonly (readonly [grants: string, flags: string])[] = [
  ['mounts folders or files of the host', '-v --volume --mount --volumes-from --tmpfs --image-volume --build-context --secret --ssh'],
  ['grants a privilege', '--privileged --cap-add --device --device-cgroup-rule --device-read-bps --device-write-bps --gpus --security-opt --user -u --group-add --sysctl --runtime --ulimit --oom-kill-disable --oom-score-adj --restart --pull --isolation'],
  ['shares a namespace or network of the host', '--userns --pid --ipc --uts --cgroupns --cgroup-parent --cgroups --net --network-alias --link --add-host --dns --ip --publish-all -P -p'],
  ['replaces what runs in the container', '--entrypoint --init --init-path --rootfs --preserve-fds'],
  ['reads or writes a file of the host', '--env-file --label-file --cidfile --pidfile --iidfile --conmon-pidfile --env-host --http-proxy --hooks-dir --root --config'],
]; // prettier-ignore

const GRANTS: ReadonlyMap<string, string> = new Map(
  REFUSED.flatMap(([grants, flags]) => flags.split(' ').map((flag) => [flag, grants] as const)),
);

type Value = RegExp | ((value: string, made: ReadonlySet<string>) => boolean);

/** One permitted form of a call: subcommands, options with their values, then operands. */
interface Shape {
  readonly words: readonly string[];
  readonly flags?: readonly string[];
  readonly options?: Readonly<Record<string, Value>>;
  readonly operands: readonly Value[];
}

const NAME = /^[a-zA-Z0-9][a-zA-Z0-9_.-]{0,127}$/;
// A tag of provision_service without a registry.
const TAG = /^(?!localhost\/)[a-z0-9]+([._-][a-z0-9]+)*(\/[a-z0-9]+([._-][a-z0-9]+)*)*:[a-zA-Z0-9_][a-zA-Z0-9_.-]*$/;
const hasNoHost: Value = (value) =>
  TAG.test(value) && !(value.split('/').length > 1 && /[.:]/.test(value.split('/')[0] ?? ''));
const oneOf =
  (...values: readonly string[]): Value =>
  (value) =>
    values.includes(value);
const isContext: Value = (value) =>
  path.isAbsolute(value) &&
  /^fw-provision-[A-Za-z0-9]{6}$/.test(path.basename(path.dirname(value))) &&
  path.basename(value) === 'image';
const isNetwork = (value: string): boolean => /^fw-net-[0-9a-f]{8}$/.test(value);
const isPublished: Value = (value) => {
  const [, host, container] = /^127\.0\.0\.1:(\d{5}):(\d{4})$/.exec(value) ?? [];
  const inRange = Number(host) >= HOST_PORTS.first && Number(host) <= HOST_PORTS.last;
  return inRange && (Object.values(CONTAINER_PORTS) as number[]).includes(Number(container));
};

/** Templates for queries to the runtime, in Go's template language, which docker and podman share. */
export const TEMPLATES = {
  server: '{{.Server.Version}}',
  state: '{{json .State}}',
  call: '{{index .Config.Labels "fw.provision"}}',
  imageLabel: '{{index .Config.Labels "fw.image"}}',
  networkName: '{{.Name}}',
} as const;

// prettier-ignore
const SHAPES: readonly Shape[] = [
  { words: ['version'], options: { '--format': oneOf(TEMPLATES.server) }, operands: [] },
  { words: ['build'], options: { '--tag': hasNoHost }, operands: [isContext] },
  { words: ['run'], flags: ['--detach'], operands: [hasNoHost], options: {
    '--name': NAME,
    '--label': /^fw\.(service=[a-zA-Z0-9][a-zA-Z0-9_.-]*|provision=[0-9a-f]{12})$/,
    '--env': oneOf(...Object.values(CONTAINER_VARIABLES)),
    '--publish': isPublished,
    '--cap-drop': oneOf('all'),
    '--network': (value, made) => isNetwork(value) && made.has(value),
  } },
  { words: ['container', 'inspect'], options: { '--format': oneOf(TEMPLATES.state, TEMPLATES.call) }, operands: [NAME] },
  { words: ['image', 'inspect'], options: { '--format': oneOf(TEMPLATES.imageLabel) }, operands: [hasNoHost] },
  { words: ['logs'], options: { '--tail': /^\d{1,3}$/ }, operands: [NAME] },
  { words: ['stop'], options: { '--time': /^\d{1,2}$/ }, operands: [NAME] },
  { words: ['rm'], operands: [NAME] },
  { words: ['rmi'], operands: [hasNoHost] },
  { words: ['network', 'create'], operands: [isNetwork] },
  { words: ['network', 'rm'], operands: [isNetwork] },
];

/**
 * The check of every call of a container runtime, over its whole argument list (SPEC "MCP server operations"): it refuses mounts,
 * privileges, shared namespaces and replaced entry points in any position, and allows only the forms that provisioning needs.
 *
 * @param args - what the program would get
 * @param made - private networks that the running call has made; no other one can be joined
 * @throws FwError `FW_PROVISION_ARGUMENT`
 */
export function checkArguments(args: readonly string[], made: ReadonlySet<string> = new Set()): void {
  for (const argument of args) {
    const grants = GRANTS.get(argument.split('=', 1)[0] ?? '');
    if (grants) throw refused(`${argument.split('=', 1)[0]} ${grants}`);
    // -v/host:/container, -u0: an option joined with its value.
    if (/^-[^-]/.test(argument)) throw refused(`the short option ${argument.slice(0, 2)} has no permitted form`);
  }
  const shape = SHAPES.find(({ words }) => words.every((word, index) => args[index] === word));
  if (!shape) throw refused(`"${args.slice(0, 2).join(' ')}" is not among the permitted operations`);
  const left = afterOptions(shape, args.slice(shape.words.length), made);
  if (left.length !== shape.operands.length) {
    throw refused(`${shape.words.join(' ')} takes ${shape.operands.length} operand(s), got ${left.length}`);
  }
  shape.operands.forEach((permitted, index) => checkValue(`operand ${index + 1}`, permitted, left[index] ?? '', made));
}

function afterOptions(shape: Shape, args: readonly string[], made: ReadonlySet<string>): readonly string[] {
  let at = 0;
  while (args[at]?.startsWith('-')) {
    const option = args[at++] as string;
    if (shape.flags?.includes(option)) continue;
    const permitted = shape.options?.[option];
    if (!permitted) throw refused(`${option} is not among the permitted options of ${shape.words.join(' ')}`);
    checkValue(option, permitted, args[at++] ?? '', made);
  }
  return args.slice(at);
}

function checkValue(what: string, permitted: Value, value: string, made: ReadonlySet<string>): void {
  const isPermitted = typeof permitted === 'function' ? permitted(value, made) : permitted.test(value);
  if (!isPermitted)
    throw refused(`${what} has the value ${JSON.stringify(value.slice(0, 100))}, which has no permitted form`);
}

function refused(problem: string): Error {
  return fwError(PROVISIONING_ERRORS.FW_PROVISION_ARGUMENT, { problem });
}
