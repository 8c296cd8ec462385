import { fwError, Type } from '../../../../kernel/index.js';
import { optional, optionalText, Text } from '../../../../kernel/schema/index.js';
import { PROVISIONING_ERRORS } from '../errors.js';
import { checkedEnvironment, checkedHost, checkedImageTag, checkedName, refused } from './values.js';
import { isObject } from '../../../../kernel/values/index.js';

/** The `docker` object as it is advertised; {@link readDockerObject} decodes it, so that a refusal names the field. */
export const DockerObject = optional(
  Type.Object(
    {
      host: optionalText('host in returned URLs'),
      image_tag: optional(Text),
      container_name: optional(Text),
      env: optional(Type.Record(Text, Text, { description: 'of the application' })),
      skip_build: optional(Type.Boolean({ description: 'run the image_tag of an earlier call' })),
      wait_seconds: optional(Type.Integer({ description: 'default 30; below 0: do not wait' })),
      enable_app_mcp: optional(Type.Boolean({ description: 'publish the app-runtime MCP endpoint' })),
    },
    { description: 'strict: other fields are refused' },
  ),
);

/** Settings of a container in a request. */
export interface DockerSettings {
  /** Host of the returned URLs; ports are always published on 127.0.0.1. */
  readonly host: string;
  readonly imageTag: string | undefined;
  readonly containerName: string | undefined;
  /** Variables of the application. */
  readonly env: Readonly<Record<string, string>>;
  readonly skipBuild: boolean;
  /** Seconds to wait for the service to answer; below 0: not at all. */
  readonly waitSeconds: number;
  readonly enableAppMcp: boolean;
}

const DEFAULT_WAIT_SECONDS = 30;
const LONGEST_WAIT_SECONDS = 3600;

type Read = (field: string, value: unknown) => unknown;

const textOf: Read = (field, value) => {
  if (typeof value === 'string') return value.trim() || undefined;
  throw refused(field, value, 'text');
};
const flagOf: Read = (field, value) => {
  if (typeof value === 'boolean') return value;
  throw refused(field, value, 'true or false');
};
const checkedText = (check: (field: string, text: string) => string): Read => {
  return (field, value) => {
    const text = textOf(field, value) as string | undefined;
    return text === undefined ? undefined : check(field, text);
  };
};

// The only list of fields; decoding, refusals and the guide use it.
const READERS: Readonly<Record<string, Read>> = {
  host: checkedText(checkedHost),
  image_tag: checkedText(checkedImageTag),
  container_name: checkedText(checkedName),
  env: (field, value) => {
    if (isObject(value)) return checkedEnvironment(field, { ...value });
    throw refused(field, value, 'an object of texts');
  },
  skip_build: flagOf,
  wait_seconds: (field, value) => {
    if (Number.isInteger(value) && Math.abs(value as number) <= LONGEST_WAIT_SECONDS) return value;
    throw refused(field, value, `a whole number of seconds up to ${LONGEST_WAIT_SECONDS}`);
  },
  enable_app_mcp: flagOf,
};

/** Names of the fields that a `docker` object may have. */
export const DOCKER_FIELDS: readonly string[] = Object.keys(READERS);

const DANGER: readonly (readonly [names: string, grants: string])[] = [
  ['privileged', 'it would give the container every right on the host'],
  ['volumes volume mounts mount binds tmpfs volumes_from', 'it would open folders of the host; there is no option for a host mount'],
  ['network_mode network networks dns extra_hosts links', 'it would join networks of the host'],
  ['cap_add capabilities', 'it would add rights of the kernel'],
  ['devices device gpus device_cgroup_rules', 'it would hand over devices of the host'],
  ['security_opt sysctls userns_mode cgroup_parent runtime ulimits', 'it would loosen the isolation'],
  ['pid_mode pid ipc_mode ipc uts_mode uts', 'it would share a namespace with the host'],
  ['user group_add', 'the image says who runs in it'],
  ['entrypoint command init', 'the image says what runs in it'],
  ['ports publish', 'ports are chosen by the call, on 127.0.0.1'],
  ['docker_host context', 'the operator says which engine is used'],
]; // prettier-ignore

const REASONS: ReadonlyMap<string, string> = new Map(
  DANGER.flatMap(([names, grants]) => names.split(' ').map((name) => [name, grants] as const)),
);

/**
 * Decodes a `docker` object strictly: every field that is not listed is refused, not ignored (SPEC "Provisioning request
 * `docker` object").
 *
 * @throws FwError `FW_PROVISION_DOCKER_FIELD`, `FW_PROVISION_VALUE`
 */
export function readDockerObject(given: unknown): DockerSettings {
  const read = new Map<string, unknown>();
  for (const [field, value] of Object.entries(objectOf(given))) {
    const reader = Object.hasOwn(READERS, field) ? READERS[field] : undefined;
    if (!reader) throw unlisted(field);
    read.set(field, reader(`docker.${field}`, value));
  }
  const settings = {
    host: (read.get('host') as string | undefined) ?? '127.0.0.1',
    imageTag: read.get('image_tag') as string | undefined,
    containerName: read.get('container_name') as string | undefined,
    env: (read.get('env') as Record<string, string> | undefined) ?? {},
    skipBuild: read.get('skip_build') === true,
    waitSeconds: (read.get('wait_seconds') as number | undefined) || DEFAULT_WAIT_SECONDS,
    enableAppMcp: read.get('enable_app_mcp') === true,
  };
  if (settings.skipBuild && settings.imageTag === undefined) {
    throw refused('docker.image_tag', '', 'the image to run, because skip_build is set');
  }
  return settings;
}

function objectOf(given: unknown): object {
  if (given === undefined || given === null) return {};
  if (typeof given === 'object' && !Array.isArray(given)) return given;
  throw refused('docker', given, `an object with some of ${DOCKER_FIELDS.join(', ')}`);
}

function unlisted(field: string): Error {
  const reason = REASONS.get(field.toLowerCase().replaceAll('-', '_')) ?? 'there is no such field';
  return fwError(PROVISIONING_ERRORS.FW_PROVISION_DOCKER_FIELD, {
    field: field.slice(0, 100),
    reason,
    accepted: DOCKER_FIELDS,
  });
}
