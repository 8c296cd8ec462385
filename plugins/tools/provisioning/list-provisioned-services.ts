import { defineTool, isFwError, Type } from '../../../kernel/index.js';
import { Integer, Text, Texts } from '../../../kernel/schema/index.js';
import { answersHttp } from './launch/readiness.js';
import { addressesOf, ListedService, TOKEN_NOTICE } from './launch/results.js';
import type { ProvisioningHost } from './provisioning-host.js';
import type { RegistryEntry } from './registry/registry-file.js';
import type { ContainerRuntime } from './runtime/container-runtime.js';

const ANSWER_MS = 2_000;

/** `list_provisioned_services`: the provisioned services and their states, without tokens. */
export const listProvisionedServices = (host: ProvisioningHost) =>
  defineTool({
    name: 'list_provisioned_services',
    description: 'Provisioned services with their addresses and the state of their containers; never tokens.',
    input: Type.Object({}),
    output: Type.Object({
      services: Type.Array(ListedService),
      count: Integer,
      token_notice: Text,
      notes: Texts,
    }),
    reach: 'workspace',
    effects: [],
    run: async (_, { signal }) => {
      const notes: string[] = [];
      const entries = await host.registry.services();
      const runtime = await openRuntime(host, signal, notes);
      const services = await Promise.all(entries.map((entry) => listed(entry, runtime, signal)));
      for (const { status, service_name: name } of services) {
        if (status === 'missing') notes.push(`The container of ${name} is gone; deprovision_service clears its entry.`);
      }
      const names = services.map(({ service_name: name, status }) => `${name} (${status})`).join(', ');
      return {
        summary: services.length === 0 ? 'No service is provisioned.' : `${services.length} provisioned: ${names}.`,
        structured: { services, count: services.length, token_notice: TOKEN_NOTICE, notes },
      };
    },
  });

// Without a runtime the tool still returns the list, but no states.
async function openRuntime(
  host: ProvisioningHost,
  signal: AbortSignal,
  notes: string[],
): Promise<ContainerRuntime | undefined> {
  try {
    return (await host.open(signal)).runtime;
  } catch (error) {
    if (!isFwError(error)) throw error;
    notes.push(error.message);
    return undefined;
  }
}

async function listed(entry: RegistryEntry, runtime: ContainerRuntime | undefined, signal: AbortSignal) {
  const { service_name, container_id, image, created_at } = entry;
  const addresses = addressesOf(entry);
  const state = await runtime?.state(container_id);
  const status = !runtime
    ? 'unknown'
    : !state
      ? 'missing'
      : !state.running
        ? 'stopped'
        : await liveliness(addresses.app_url, signal);
  return {
    service_name,
    container_id,
    ...addresses,
    image,
    status,
    health: state?.health,
    created_at,
  };
}

async function liveliness(appUrl: string, signal: AbortSignal): Promise<'running' | 'unhealthy'> {
  return (await answersHttp(appUrl, signal, ANSWER_MS)) ? 'running' : 'unhealthy';
}
