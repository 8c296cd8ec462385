import { defineTool, Type } from '../../../kernel/index.js';
import { Integer, optional, Text, Texts, YesNo } from '../../../kernel/schema/index.js';
import type { ProvisioningHost } from './provisioning-host.js';
import type { RegistryEntry } from './registry/registry-file.js';
import type { ContainerRuntime } from './runtime/container-runtime.js';

const released = {
  released_control_port: Integer,
  released_app_port: Integer,
  released_app_mcp_port: optional(Integer),
  released_aggregator_port: optional(Integer),
};

const Refused = Type.Object({
  service_name: Text,
  refused: Type.Literal(true),
  reason: Text,
  manages: Texts,
});

const Removed = Type.Object({
  service_name: Text,
  container_id: Text,
  ...released,
  image_removed: YesNo,
  network_removed: YesNo,
  notes: Texts,
});

/** `deprovision_service`: removes only what provisioning has made. */
export const deprovisionService = (host: ProvisioningHost) =>
  defineTool({
    name: 'deprovision_service',
    description: 'Stop and remove the container of a provisioned service; containers of anybody else are refused.',
    input: Type.Object({ service_name: Text, remove_image: optional(YesNo) }),
    output: Type.Union([Removed, Refused]),
    texts: ['service_name'],
    reach: 'workspace',
    effects: ['containers'],
    run: async ({ service_name: given, remove_image = false }, context) => {
      const entries = await host.registry.services();
      const entry = entries.find(({ service_name }) => service_name === given.trim());
      if (!entry) return refusal(given, entries);
      if ((await context.confirm(questionAbout(entry, remove_image))) === 'no') return declined(entry, entries);
      // A removal that has begun is finished, even if the caller no longer waits.
      const runtime = (await host.open(context.signal)).runtime.uncancelled();
      const notes: string[] = [];
      if (!(await runtime.remove(entry.container_id)))
        notes.push('The container was gone already; its entry was cleared.');
      await host.registry.remove(entry.service_name, entry.container_id);
      const image_removed = remove_image && (await imageRemoved(entry, runtime, notes));
      const network_removed = await networkRemoved(entry, entries, runtime, notes);
      return {
        summary: [`${entry.service_name} was removed.`, ...notes].join(' '),
        structured: {
          service_name: entry.service_name,
          container_id: entry.container_id,
          ...releasedPorts(entry),
          image_removed,
          network_removed,
          notes,
        },
      };
    },
  });

function questionAbout({ service_name: name, image }: RegistryEntry, withImage: boolean): string {
  return `Stop and remove the container of ${name}${withImage ? `, and its image ${image}` : ''}? What it keeps inside is gone then.`;
}

function declined({ service_name }: RegistryEntry, entries: readonly RegistryEntry[]) {
  const reason = `${service_name} was left as it is: who was asked does not want it to be removed.`;
  const manages = entries.map((entry) => entry.service_name);
  return {
    summary: reason,
    structured: { service_name, refused: true as const, reason, manages },
    isError: true,
  };
}

function refusal(given: string, entries: readonly RegistryEntry[]) {
  const manages = entries.map(({ service_name }) => service_name);
  const reason = `No service ${JSON.stringify(given)} was provisioned here, so nothing was touched. Provisioned: ${manages.join(', ') || 'none'}.`;
  return {
    summary: reason,
    structured: { service_name: given, refused: true as const, reason, manages },
    isError: true,
  };
}

function releasedPorts({ ports: { control, app, appMcp, aggregator } }: RegistryEntry) {
  return {
    released_control_port: control,
    released_app_port: app,
    released_app_mcp_port: appMcp,
    released_aggregator_port: aggregator,
  };
}

async function imageRemoved({ image }: RegistryEntry, runtime: ContainerRuntime, notes: string[]): Promise<boolean> {
  const problem = await runtime.removeImage(image);
  if (problem !== undefined) notes.push(`The image ${image} was left in place: ${problem}`);
  return problem === undefined;
}

// Removes the network of a fleet with its last service.
async function networkRemoved(
  { network, service_name }: RegistryEntry,
  entries: readonly RegistryEntry[],
  runtime: ContainerRuntime,
  notes: string[],
): Promise<boolean> {
  const isShared = entries.some((each) => each.network === network && each.service_name !== service_name);
  if (network === undefined || isShared) return false;
  const problem = await runtime.removeNetwork(network);
  if (problem !== undefined) notes.push(`The network ${network} was left in place: ${problem}`);
  return problem === undefined;
}
