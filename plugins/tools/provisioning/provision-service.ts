import { defineTool, Type } from '../../../kernel/index.js';
import { Text, Texts } from '../../../kernel/schema/index.js';
import type { ProvisioningHost } from './provisioning-host.js';
import { provision, type ServicePlan } from './launch/provisioner.js';
import { ProvisionedService, TOKEN_NOTICE } from './launch/results.js';
import { DockerObject, type DockerSettings, readDockerObject } from './request/docker-object.js';
import {
  defaultContainer,
  defaultImage,
  readService,
  ServiceInput,
  type ServiceRequest,
} from './request/service-request.js';
import { checkedName, refused } from './request/values.js';
import { CONTAINER_PORTS } from './runtime/container-ports.js';

/** `provision_service` (SPEC "MCP server operations"). */
export const provisionService = (host: ProvisioningHost) =>
  defineTool({
    name: 'provision_service',
    description:
      'Generate a service from a configuration, build its image and start it in a container with its own fw-mcp. Returns its addresses and, once, its tokens.',
    input: Type.Object({ ...ServiceInput, docker: DockerObject }),
    output: Type.Object({
      ...ProvisionedService.properties,
      token_notice: Text,
      notes: Texts,
    }),
    texts: ['name', 'config', 'config_yaml', 'template', 'docker'],
    reach: 'workspace',
    effects: ['containers'],
    destructive: false,
    run: async (input, context) => {
      const docker = readDockerObject(input.docker);
      const plan = planOf(await readService(input), docker, input);
      const { services, notes } = await provision([plan], undefined, await host.open(context.signal), context);
      const [service] = services as [ProvisionedService];
      return {
        summary: `${service.service_name} is ${service.status}: application ${service.app_url}, control address ${service.control_url}. ${TOKEN_NOTICE}`,
        structured: { ...service, token_notice: TOKEN_NOTICE, notes },
      };
    },
  });

function planOf(
  request: ServiceRequest,
  docker: DockerSettings,
  given: { config?: unknown; config_yaml?: string },
): ServicePlan {
  if (docker.skipBuild && (given.config !== undefined || given.config_yaml)) {
    throw refused('docker.skip_build', true, 'no config beside it: an image that is there is run as it is');
  }
  return {
    request,
    adapted: appMcpSection(docker),
    docker,
    image: docker.imageTag ?? defaultImage(request.name),
    container: docker.containerName ?? checkedName('name', defaultContainer(request.name)),
    variables: {},
    aggregator: undefined,
  };
}

/** The section of a project document that serves the application's own MCP endpoint. */
export function appMcpSection({ enableAppMcp }: DockerSettings) {
  return enableAppMcp ? { mcp: { enabled: true, port: CONTAINER_PORTS.appMcp } } : {};
}
