import { defineErrors } from '../../../kernel/index.js';

export const PROVISIONING_ERRORS = defineErrors('plugins/tools/provisioning', {
  FW_PROVISION_DOCKER_FIELD: {
    message: 'docker.{field} is refused: {reason}. Accepted fields: {accepted}.',
    status: 422,
    cause:
      'The `docker` object has a field that is not listed; nothing in it can reach the host (SPEC "Provisioning request `docker` object").',
    remedy: 'Leave the field out.',
    guide: 'provision-containers.md#the-docker-object',
  },
  FW_PROVISION_VALUE: {
    message: '{field} is {value}. Expected {expected}.',
    status: 422,
    cause: 'A name, an image tag, a variable or a number of a provisioning request is not well formed.',
    remedy: 'Correct the field that the message names.',
  },
  FW_PROVISION_NAME_TAKEN: {
    message: 'The name {name} is in use: {by}. Choose another name, or call deprovision_service first.',
    status: 409,
    cause: 'A service of that name was provisioned, or is being provisioned by another call.',
    remedy: 'List what there is with list_provisioned_services.',
  },
  FW_PROVISION_RUNTIME: {
    message: 'No container runtime can be used: {tried}. {remedy}',
    status: 424,
    cause: 'Neither docker nor podman is on PATH, or the engine behind it does not answer.',
    remedy:
      'Install podman (Debian: apt-get install podman) or Docker Engine, start it, or name it in FW_CONTAINER_RUNTIME.',
    guide: 'provision-containers.md#the-runtime',
  },
  FW_PROVISION_ARGUMENT: {
    message: 'A call of the container runtime was refused before it was made: {problem}.',
    status: 422,
    cause:
      'An argument would mount, grant a privilege, share a namespace or replace what runs, or has no permitted shape.',
    remedy: 'Nothing in a request can express such an argument; this stops a mistake in the framework itself.',
  },
  FW_PROVISION_CALL: {
    message: '{program} {operation} failed: {output}',
    status: 424,
    cause: 'The container runtime could not do what it was asked for; the message has its own words.',
    remedy: 'Mend what the message names, and call again; what the failed call had made was removed.',
  },
  FW_PROVISION_IMAGE: {
    message: 'The image {image} cannot be used with skip_build: {problem}.',
    status: 422,
    cause: 'skip_build runs an image that an earlier call of provision_service built.',
    remedy: 'Leave skip_build out, or give the tag of an image that was built that way.',
  },
  FW_PROVISION_DEPENDENCIES: {
    message: 'The dependencies of the service could not be installed: {problem}',
    status: 424,
    cause: 'npm could not reach its registry and has not got the packages in its cache either, or is not installed.',
    remedy: 'Mend what npm says, and call again.',
  },
  FW_PROVISION_START: {
    message:
      'The container of {name} ended before the service answered (exit code {exitCode}). Its last lines: {lines}',
    status: 424,
    cause: 'The application in the container did not start.',
    remedy: 'Mend what the last lines name, and call again; the container was removed.',
  },
  FW_PROVISION_PORTS: {
    message: 'No free port is left between {first} and {last} on 127.0.0.1; {held} are held by provisioned services.',
    status: 409,
    cause: 'Every port of the range is held by a service or by another program.',
    remedy: 'Call deprovision_service for services that are no longer needed.',
  },
  FW_PROVISION_REGISTRY: {
    message: 'The list of provisioned services, {path}, cannot be used: {problem}. Mend or remove the file.',
    status: 409,
    cause: 'The file is no valid JSON or was edited. It is what permits removing containers, so nothing is guessed.',
    remedy:
      'Restore the file, or remove it together with the containers that the runtime lists with the label fw.service.',
  },
});
