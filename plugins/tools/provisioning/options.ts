import path from 'node:path';
import { type ResolvedOptions, stateFolder as userStateFolder, Type, withDefault } from '../../../kernel/index.js';

/** Options of plugin `tools/provisioning`. */
export const provisioningOptions = Type.Object({
  baseImage: withDefault(
    Type.String({
      description:
        'image with Node that services are built on; one that is on the machine is not fetched; default docker.io/library/node:N-slim, N being the major version of the Node that runs this',
    }),
    '',
  ),
  runtime: withDefault(
    Type.String({
      description: 'container runtime, by name or path; default FW_CONTAINER_RUNTIME, else docker, else podman',
    }),
    '',
  ),
  stateDir: withDefault(
    Type.String({
      description:
        'folder of the list of provisioned services; default FW_MCP_STATE_DIR, else fw in the state folder of the user',
    }),
    '',
  ),
});

export type ProvisioningOptions = ResolvedOptions<typeof provisioningOptions>;

/** Folder of the list of services: the option, else the user's state folder. @throws FwError `FW_STATE_FOLDER` */
export function stateFolder(option: string): string {
  return option.trim() ? path.resolve(option.trim()) : userStateFolder();
}

/** The base image of services. It has the same major version of Node, so that natively compiled code runs in it. */
export function wantedBaseImage(option: string, { node } = process.versions): string {
  return option.trim() || `docker.io/library/node:${Number.parseInt(node)}-slim`;
}

/** Programs to look for, in order; only one if the operator names it. */
export function wantedRuntimes(option: string): readonly string[] {
  const given = option.trim() || process.env['FW_CONTAINER_RUNTIME']?.trim();
  return given ? [given] : ['docker', 'podman'];
}
