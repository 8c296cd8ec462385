/** package.json of the framework, as far as it is changed on the way into a package. */
export interface Manifest {
  readonly exports: unknown;
  readonly imports: unknown;
  readonly files: readonly string[];
  readonly [field: string]: unknown;
}

/** What is said to npm of a checkout, and to nobody who installs the package: npm asks about its scripts, for one. */
const OF_A_CHECKOUT = ['scripts', 'workspaces', 'devDependencies', 'overrides', 'allowScripts', 'scarfSettings'];

/** The manifest that a package of the framework ships: nothing that leads to sources, or to what only a checkout has. */
export function shippedManifest(manifest: Manifest): Manifest {
  const kept = Object.entries(manifest).filter(([field]) => !OF_A_CHECKOUT.includes(field));
  return {
    ...Object.fromEntries(kept),
    exports: withoutSources(manifest.exports),
    imports: withoutSources(manifest.imports),
    files: manifest.files.filter((file) => !file.startsWith('kernel/')),
  };
}

/** Conditions of exports and imports (https://nodejs.org/api/packages.html#conditional-exports) without that of the sources. */
function withoutSources(conditions: unknown): unknown {
  if (typeof conditions !== 'object' || conditions === null) return conditions;
  const kept = Object.entries(conditions).filter(([condition]) => condition !== 'fw-source');
  return Object.fromEntries(kept.map(([condition, target]) => [condition, withoutSources(target)]));
}
