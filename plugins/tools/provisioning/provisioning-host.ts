import type { Provisioning } from './launch/provisioner.js';
import { type ProvisioningOptions, stateFolder, wantedBaseImage, wantedRuntimes } from './options.js';
import { RegistryFile } from './registry/registry-file.js';
import { ServiceRegistry } from './registry/reservations.js';
import { ContainerRuntime } from './runtime/container-runtime.js';
import { findRuntime } from './runtime/find-runtime.js';

/** What the four tools share. */
export interface ProvisioningHost {
  readonly registry: ServiceRegistry;
  /**
   * Looks for a runtime in every call, because one may have been installed or started meanwhile.
   * @throws FwError `FW_PROVISION_RUNTIME`
   */
  open(signal: AbortSignal | undefined): Promise<Provisioning>;
}

/** The tools' host for the options of the plugin. */
export function provisioningHost({
  baseImage: image,
  runtime,
  stateDir: given,
}: ProvisioningOptions): ProvisioningHost {
  const stateDir = stateFolder(given);
  const baseImage = wantedBaseImage(image);
  const registry = new ServiceRegistry(new RegistryFile(stateDir));
  return {
    registry,
    open: async (signal) => {
      const program = await findRuntime(wantedRuntimes(runtime), signal);
      return { runtime: new ContainerRuntime(program, signal), registry, baseImage, stateDir };
    },
  };
}
