import { randomBytes } from 'node:crypto';
import { defineTool, type ToolContext, Type } from '../../../kernel/index.js';
import { newSecret } from '../../../kernel/secrets/index.js';
import { Anything, Integer, optional, optionalText, Text, Texts } from '../../../kernel/schema/index.js';
import { untilHeard } from './launch/fleet-reports.js';
import { provision, type ServicePlan } from './launch/provisioner.js';
import { ProvisionedService, TOKEN_NOTICE } from './launch/results.js';
import { appMcpSection } from './provision-service.js';
import type { ProvisioningHost } from './provisioning-host.js';
import { type DockerSettings, readDockerObject } from './request/docker-object.js';
import {
  defaultContainer,
  defaultImage,
  readService,
  ServiceInput,
  type ServiceRequest,
} from './request/service-request.js';
import { checkedName, refused } from './request/values.js';
import { CONTAINER_PORTS } from './runtime/container-ports.js';

const MOST_SERVICES = 12;
const VIEWER = 'fleet';

const Aggregator = Type.Object(
  {
    hosted_by: optionalText('default the first service'),
    ingest_token: optional(Text),
    service_token: optional(Text),
    sample_rate: optional(Type.Number({ minimum: 0, maximum: 1 })),
  },
  { additionalProperties: false },
);

const AggregatorResult = Type.Object({
  hosted_by_service: Text,
  aggregator_port: Integer,
  aggregator_url: Text,
  host_service_control_port: Integer,
  host_service_app_port: Integer,
  username: Type.String({ description: 'viewer name for the fleet tools' }),
  password: Type.String({ description: 'viewer password, returned this once' }),
  ingest_token: Type.String({ description: 'write credential, returned this once' }),
});

/** `provision_fleet`: services on a private network, traced by an aggregator that runs beside one of them. */
export const provisionFleet = (host: ProvisioningHost) =>
  defineTool({
    name: 'provision_fleet',
    description:
      'Provision up to 12 services that trace to one Fleet aggregator on a private network, all or none. Each finds the others in FLEET_SERVICE_URLS.',
    input: Type.Object({
      services: Type.Array(Type.Object(ServiceInput, { additionalProperties: false })),
      aggregator: optional(Aggregator),
      docker: optional(Type.Record(Text, Anything, { description: 'as in provision_service, for each service' })),
    }),
    output: Type.Object({
      services: Type.Array(ProvisionedService),
      aggregator: AggregatorResult,
      network: Text,
      token_notice: Text,
      notes: Texts,
    }),
    texts: ['services', 'aggregator', 'docker'],
    reach: 'workspace',
    effects: ['containers'],
    destructive: false,
    run: async ({ services: given, aggregator = {}, docker: object }, context) => {
      const docker = readDockerObject(object);
      if (given.length < 1 || given.length > MOST_SERVICES)
        throw refused('services', given.length, `1 to ${MOST_SERVICES} services`);
      if (given.length > 1) refuseShared(docker);
      const requests = await Promise.all(given.map((each, index) => readService(each, `services[${index}].name`)));
      const fleet = fleetOf(requests, aggregator);
      const plans = fleet.ordered.map((request) => planOf(request, fleet, docker));
      const network = `fw-net-${randomBytes(4).toString('hex')}`;
      const { services, notes, steps } = await provision(plans, network, await host.open(context.signal), context);
      const [first] = services as [ProvisionedService];
      const { aggregator_port = 0, aggregator_url = '' } = first;
      context.progress(steps + 1, undefined, 'waiting for every service to report to the aggregator');
      const unheard = await unheardServices(aggregator_url, fleet, docker, context);
      return {
        summary: `${services.length} services are up; traces are at ${aggregator_url} (aggregator_url of the fleet tools). ${TOKEN_NOTICE}`,
        structured: {
          services,
          aggregator: {
            hosted_by_service: fleet.hostedBy,
            aggregator_port,
            aggregator_url,
            host_service_control_port: first.control_port,
            host_service_app_port: first.app_port,
            username: VIEWER,
            password: fleet.password,
            ingest_token: fleet.ingestToken,
          },
          network,
          token_notice: TOKEN_NOTICE,
          notes: [...notes, ...unheard],
        },
      };
    },
  });

/** What the services of a fleet share. */
interface Fleet {
  /** The host of the aggregator first. */
  readonly ordered: readonly ServiceRequest[];
  readonly hostedBy: string;
  readonly ingestToken: string;
  readonly serviceToken: string;
  readonly password: string;
  readonly sampleRate: number | undefined;
}

function fleetOf(
  requests: readonly ServiceRequest[],
  {
    hosted_by,
    ingest_token,
    service_token,
    sample_rate,
  }: { hosted_by?: string; ingest_token?: string; service_token?: string; sample_rate?: number },
): Fleet {
  const names = requests.map(({ name }) => name);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw refused('services', twice, 'a name of its own for each service');
  const hostedBy = hosted_by?.trim() || (names[0] ?? '');
  if (!names.includes(hostedBy))
    throw refused('aggregator.hosted_by', hostedBy, `one of the services: ${names.join(', ')}`);
  return {
    ordered: [...requests].sort((a, b) => Number(b.name === hostedBy) - Number(a.name === hostedBy)),
    hostedBy,
    ingestToken: ingest_token?.trim() || newSecret(),
    serviceToken: service_token?.trim() || newSecret(),
    password: newSecret(),
    sampleRate: sample_rate,
  };
}

const HEARD_MS = 15_000;

// Running services may not find each other: podman resolves names in a network only with its name server.
async function unheardServices(
  aggregatorUrl: string,
  { ordered, password }: Fleet,
  { waitSeconds }: DockerSettings,
  { signal }: ToolContext,
): Promise<readonly string[]> {
  if (waitSeconds < 0) return [];
  const names = ordered.map(({ name, document }) => document.fleet?.service_name || name);
  const missing = await untilHeard(aggregatorUrl, { username: VIEWER, password, names, timeoutMs: HEARD_MS, signal });
  return missing.map(
    (name) =>
      `${name} has not reported to the aggregator yet. If it never does, containers cannot find each other by name: podman needs netavark and aardvark-dns for that.`,
  );
}

function refuseShared({ imageTag, containerName, skipBuild }: DockerSettings): void {
  const given = { image_tag: imageTag, container_name: containerName, skip_build: skipBuild || undefined };
  for (const [field, value] of Object.entries(given)) {
    if (value !== undefined) throw refused(`docker.${field}`, value, 'nothing: several services cannot share it');
  }
}

const addressIn = (name: string, purpose: keyof typeof CONTAINER_PORTS): string =>
  `http://${defaultContainer(name)}:${CONTAINER_PORTS[purpose]}`;

function planOf(request: ServiceRequest, fleet: Fleet, docker: DockerSettings): ServicePlan {
  const { name, document } = request;
  const { hostedBy, ingestToken, serviceToken, password, ordered } = fleet;
  const reserved = Object.keys(docker.env).find((variable) => /^FLEET_/i.test(variable));
  if (reserved !== undefined)
    throw refused('docker.env: the name of a variable', reserved, 'another one: provision_fleet sets those of Fleet');
  const others = ordered.filter((each) => each.name !== name).map((each) => [each.name, addressIn(each.name, 'app')]);
  const transport = { service_name: name, transport: 'http' as const, sample_rate: fleet.sampleRate ?? 1 };
  const container = docker.containerName ?? defaultContainer(name);
  return {
    request,
    adapted: { ...appMcpSection(docker), fleet: { ...transport, ...document.fleet, enabled: true } },
    docker,
    image: docker.imageTag ?? defaultImage(name, 'services.name'),
    container: checkedName('container_name', container),
    variables: {
      FLEET_SERVICE_NAME: document.fleet?.service_name || name,
      FLEET_WRITE_URL: `${hostedBy === name ? `http://127.0.0.1:${CONTAINER_PORTS.aggregator}` : addressIn(hostedBy, 'aggregator')}/fleet`,
      FLEET_ADVERTISE_URL: `http://${container}:${CONTAINER_PORTS.app}`,
      FLEET_INGEST_TOKEN: ingestToken,
      FLEET_SERVICE_TOKEN: serviceToken,
      FLEET_SERVICE_URLS: JSON.stringify(Object.fromEntries(others)),
    },
    aggregator:
      hostedBy === name
        ? {
            FLEET_INGEST_TOKEN: ingestToken,
            FLEET_SERVICE_TOKEN: serviceToken,
            FLEET_USERNAME: VIEWER,
            FLEET_PASSWORD: password,
          }
        : undefined,
  };
}
