import { mkdtemp, realpath } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fwError, type ToolContext } from '../../../../kernel/index.js';
import { newSecret } from '../../../../kernel/secrets/index.js';
import { PROVISIONING_ERRORS } from '../errors.js';
import type { ContextMaker } from '../image/build-context.js';
import type { ProjectDocument } from '../../knowledge/index.js';
import { isFree } from '../registry/free-port.js';
import type { RegistryEntry } from '../registry/registry-file.js';
import type { ServiceRegistry } from '../registry/reservations.js';
import type { DockerSettings } from '../request/docker-object.js';
import type { ServiceRequest } from '../request/service-request.js';
import type { HostPorts, PortPurpose } from '../runtime/container-ports.js';
import type { ContainerRuntime, ContainerSpec } from '../runtime/container-runtime.js';
import { CONTAINER_VARIABLES } from '../runtime/container-variables.js';
import { untilAnswered } from './readiness.js';
import { addressesOf, type ProvisionedService } from './results.js';

/** A service to start, with everything that is known before its ports are chosen. */
export interface ServicePlan {
  readonly request: ServiceRequest;
  /** The project document with the sections that provisioning sets. */
  readonly adapted: ProjectDocument;
  readonly docker: DockerSettings;
  readonly image: string;
  readonly container: string;
  /** Variables of its application besides those of the request. */
  readonly variables: Readonly<Record<string, string>>;
  /** Variables of the aggregator that runs beside it. */
  readonly aggregator: Readonly<Record<string, string>> | undefined;
}

/** Dependencies of a provisioner. */
export interface Provisioning {
  readonly runtime: ContainerRuntime;
  readonly registry: ServiceRegistry;
  readonly baseImage: string;
  /** Folder of the list of services and of files kept between calls. */
  readonly stateDir: string;
}

/** Result of a call. */
export interface Provisioned {
  readonly services: readonly ProvisionedService[];
  readonly notes: readonly string[];
  /** Number of reported steps, for a caller that reports more. */
  readonly steps: number;
}

const PORT_ATTEMPTS = 3;

/**
 * Starts services in order, all or none: a failed or cancelled call removes what it has made.
 *
 * @param network - private network to create for them
 * @throws FwError what the registry, npm and the runtime throw; `FW_PROVISION_START`, `FW_PROVISION_IMAGE`
 */
export async function provision(
  plans: readonly ServicePlan[],
  network: string | undefined,
  provisioning: Provisioning,
  context: ToolContext,
): Promise<Provisioned> {
  const { registry, runtime } = provisioning;
  const wanted = plans.map((plan) => ({
    service: plan.request.name,
    container: plan.container,
    purposes: purposesOf(plan),
  }));
  const held = await registry.reserve(wanted, network);
  const launch = new Launch(plans, network, held.call, held.ports, provisioning, context);
  try {
    await sweep(held.abandoned, runtime.uncancelled());
    return await launch.run();
  } catch (error) {
    const left = await launch.undo();
    for (const problem of left) context.log.warn({ problem }, 'a failed provisioning left something behind');
    throw error;
  } finally {
    await registry.release(held.call);
  }
}

function purposesOf({ docker, aggregator }: ServicePlan): readonly PortPurpose[] {
  return [
    'control',
    'app',
    ...(docker.enableAppMcp ? ['appMcp' as const] : []),
    ...(aggregator ? ['aggregator' as const] : []),
  ];
}

type Abandoned = Awaited<ReturnType<ServiceRegistry['reserve']>>['abandoned'];

// Removes what calls have made whose server died during the call.
async function sweep(abandoned: Abandoned, runtime: ContainerRuntime): Promise<void> {
  for (const { call, services, network } of abandoned) {
    for (const { container_name: container } of services) await runtime.removeOf(call, container);
    if (network !== undefined) await runtime.removeNetwork(network);
  }
}

/** One running call. */
class Launch {
  readonly #images: string[] = [];
  readonly #registered: RegistryEntry[] = [];
  readonly #notes: string[] = [];
  #hasNetwork = false;
  #step = 0;

  constructor(
    private readonly plans: readonly ServicePlan[],
    private readonly network: string | undefined,
    private readonly call: string,
    private readonly ports: ReadonlyMap<string, HostPorts>,
    private readonly provisioning: Provisioning,
    private readonly context: ToolContext,
  ) {}

  async run(): Promise<Provisioned> {
    await this.#buildImages();
    if (this.network !== undefined) {
      this.#hasNetwork = true;
      await this.provisioning.runtime.makeNetwork(this.network);
    }
    const services: ProvisionedService[] = [];
    for (const plan of this.plans) services.push(await this.#launch(plan));
    return { services, notes: this.#notes, steps: this.#step };
  }

  /** Removes what the call has made. @returns what could not be removed */
  async undo(): Promise<readonly string[]> {
    const { registry } = this.provisioning;
    const runtime = this.provisioning.runtime.uncancelled();
    const problems: string[] = [];
    const attempt = async (work: () => Promise<unknown>): Promise<void> => {
      const problem = await work().catch((error: Error) => error.message);
      if (typeof problem === 'string') problems.push(problem);
    };
    for (const { container } of [...this.plans].reverse()) await attempt(() => runtime.removeOf(this.call, container));
    for (const entry of this.#registered) await attempt(() => registry.remove(entry.service_name, entry.container_id));
    for (const image of this.#images) await attempt(() => runtime.removeImage(image));
    if (this.#hasNetwork) await attempt(() => runtime.removeNetwork(this.network as string));
    return problems;
  }

  async #buildImages(): Promise<void> {
    for (const { image, docker } of this.plans) if (docker.skipBuild) await this.#checkImage(image);
    const built = this.plans.filter(({ docker }) => !docker.skipBuild);
    if (built.length === 0) return;
    this.#tell('packing the framework');
    const { signal } = this.context;
    const { baseImage, stateDir } = this.provisioning;
    const { packFramework } = await import('../../../../codegen/schematics/index.js');
    const { clearWorkshop, ContextMaker } = await import('../image/build-context.js');
    const framework = await packFramework({ signal });
    const folder = await realpath(await mkdtemp(path.join(tmpdir(), 'fw-provision-')));
    try {
      const maker = new ContextMaker({ folder, framework, baseImage, signal, locks: path.join(stateDir, 'locks') });
      for (const plan of built) await this.#build(plan, maker);
    } finally {
      await clearWorkshop(folder);
    }
  }

  async #build({ request, adapted, image }: ServicePlan, maker: ContextMaker): Promise<void> {
    this.#tell(`${request.name}: generating the project, installing its dependencies`);
    const folder = await maker.make(request, adapted);
    this.context.signal.throwIfAborted();
    this.#tell(`${request.name}: building the image ${image}`);
    const { runtime } = this.provisioning;
    const existed = (await runtime.imageOrigin(image)) !== 'missing';
    if (!existed) this.#images.push(image);
    await runtime.build(image, folder, (line) => this.context.log.debug({ service: request.name }, line));
  }

  async #checkImage(image: string): Promise<void> {
    const origin = await this.provisioning.runtime.imageOrigin(image);
    if (origin === 'provisioned') return;
    const problem = origin === 'missing' ? 'there is none of that name' : 'provisioning did not build it';
    throw fwError(PROVISIONING_ERRORS.FW_PROVISION_IMAGE, { image, problem });
  }

  async #launch(plan: ServicePlan): Promise<ProvisionedService> {
    const { request, docker, image, container } = plan;
    this.#tell(`${request.name}: starting the container ${container}`);
    const tokens = { control: newSecret(), appMcp: docker.enableAppMcp ? newSecret() : undefined };
    const { id, ports } = await this.#start(plan, tokens);
    const entry: RegistryEntry = {
      service_name: request.name,
      container_id: id,
      container_name: container,
      host: docker.host,
      ports: ports as RegistryEntry['ports'],
      image,
      ...(this.network !== undefined && { network: this.network }),
      created_at: new Date().toISOString(),
    };
    await this.provisioning.registry.register(this.call, entry);
    this.#registered.push(entry);
    const status = await this.#wait(plan, entry, Object.values(tokens));
    return {
      service_name: request.name,
      container_id: id,
      ...addressesOf(entry),
      control_token: tokens.control,
      app_mcp_token: tokens.appMcp,
      image,
      status,
    };
  }

  // A chosen port may be taken by now; then the service gets other ports.
  async #start(plan: ServicePlan, tokens: Tokens): Promise<{ readonly id: string; readonly ports: HostPorts }> {
    const { runtime, registry } = this.provisioning;
    const name = plan.request.name;
    let ports = this.ports.get(name) ?? {};
    for (let attempt = 1; ; attempt++) {
      try {
        return { id: await runtime.start(this.#spec(plan, ports, tokens)), ports };
      } catch (error) {
        await runtime.uncancelled().removeOf(this.call, plan.container);
        const free = await Promise.all(Object.values(ports).map(isFree));
        if (attempt === PORT_ATTEMPTS || free.every(Boolean)) throw error;
        ports = await registry.replacePorts(this.call, name);
      }
    }
  }

  #spec(
    { request, docker, image, container, variables, aggregator }: ServicePlan,
    ports: HostPorts,
    tokens: Tokens,
  ): ContainerSpec {
    return {
      name: container,
      service: request.name,
      call: this.call,
      image,
      ports,
      network: this.network,
      variables: {
        [CONTAINER_VARIABLES.controlToken]: tokens.control,
        ...(tokens.appMcp !== undefined && { [CONTAINER_VARIABLES.appMcpToken]: tokens.appMcp }),
        [CONTAINER_VARIABLES.service]: JSON.stringify({ ...docker.env, ...variables }),
        ...(aggregator && { [CONTAINER_VARIABLES.aggregator]: JSON.stringify(aggregator) }),
      },
    };
  }

  async #wait(plan: ServicePlan, entry: RegistryEntry, tokens: readonly (string | undefined)[]): Promise<string> {
    const { waitSeconds, env } = plan.docker;
    if (waitSeconds < 0) return 'starting';
    const name = plan.request.name;
    this.#tell(`${name}: waiting for it to answer`);
    const { app_url, control_url, app_mcp_url, aggregator_url } = addressesOf(entry);
    const secrets = [
      ...tokens,
      ...Object.values(env),
      ...Object.values(plan.variables),
      ...Object.values(plan.aggregator ?? {}),
    ];
    const left = await untilAnswered({
      urls: [app_url, control_url, app_mcp_url, aggregator_url].filter((url) => url !== undefined),
      seconds: waitSeconds,
      signal: this.context.signal,
      check: () => this.#refuseEnded(name, entry.container_id, secrets),
      waiting: (urls) => this.#tell(`${name}: waiting for ${urls.join(', ')}`),
    });
    if (left.length === 0) return 'running';
    this.#notes.push(`${name} runs, but did not answer within ${waitSeconds} s at ${left.join(', ')}; it was kept.`);
    return 'unhealthy';
  }

  async #refuseEnded(name: string, id: string, secrets: readonly (string | undefined)[]): Promise<void> {
    const { runtime } = this.provisioning;
    const state = await runtime.state(id);
    if (state?.running) return;
    const lines = await runtime.lastLines(id);
    throw fwError(PROVISIONING_ERRORS.FW_PROVISION_START, {
      name,
      exitCode: state?.exitCode ?? 'unknown',
      lines: withoutSecrets(lines.join(' | ').slice(-2000), secrets) || 'none',
    });
  }

  #tell(message: string): void {
    this.context.progress(++this.#step, undefined, message);
  }
}

interface Tokens {
  readonly control: string;
  readonly appMcp: string | undefined;
}

const SHORTEST_SECRET = 4;

// The output of an application may contain its secrets.
function withoutSecrets(text: string, secrets: readonly (string | undefined)[]): string {
  return secrets.reduce<string>(
    (left, secret) =>
      secret !== undefined && secret.length >= SHORTEST_SECRET ? left.replaceAll(secret, '***') : left,
    text,
  );
}
