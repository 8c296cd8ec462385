/** The fields of the framework's package.json that packing changes. */
export interface Manifest {
  readonly exports: unknown;
  readonly imports: unknown;
  readonly files: readonly string[];
  readonly [field: string]: unknown;
}

/** Fields that are only for a checkout. In an installed package npm would, for example, ask about its scripts. */
const OF_A_CHECKOUT = ['scripts', 'workspaces', 'devDependencies', 'overrides', 'allowScripts', 'scarfSettings'];

/** The manifest in the framework's package, without references to sources or other files of a checkout. */
export function shippedManifest(manifest: Manifest): Manifest {
  const kept = Object.entries(manifest).filter(([field]) => !OF_A_CHECKOUT.includes(field));
  return {
    ...Object.fromEntries(kept),
    exports: withoutSources(manifest.exports),
    imports: withoutSources(manifest.imports),
    files: manifest.files.filter((file) => !file.startsWith('kernel/')),
  };
}

/** Removes the condition for sources from conditional exports and imports (https://nodejs.org/api/packages.html#conditional-exports). */
function withoutSources(conditions: unknown): unknown {
  if (typeof conditions !== 'object' || conditions === null) return conditions;
  const kept = Object.entries(conditions).filter(([condition]) => condition !== 'fw-source');
  return Object.fromEntries(kept.map(([condition, target]) => [condition, withoutSources(target)]));
}
