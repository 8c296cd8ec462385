import { rooms } from '#rooms';
import type { ToolContext } from '../../../kernel/index.js';
import { packageManifests } from '../../../kernel/manifests/index.js';
import { readProject } from '../introspection/index.js';

/** Name of the dialect of a project's databases, as far as its app.config.ts has it as a literal. */
export async function dialectOf(root: string, context: ToolContext): Promise<string | undefined> {
  const { features, plugins } = await readProject(root, (file) => context.confine(file));
  const driver = features.find(({ name }) => name === 'orm')?.options['driver'];
  if (typeof driver === 'string') return driver;
  const dialects = await dialectsOf(root);
  return plugins.flatMap((plugin) => dialects.get(plugin) ?? [])[0];
}

// Dialects of the framework and of the project's packages, by module. The commands of the ORM report invalid facts.
async function dialectsOf(root: string): Promise<ReadonlyMap<unknown, string>> {
  const { found } = await packageManifests(root);
  return new Map(
    [...rooms, ...found]
      .flatMap(({ manifest }) => (Array.isArray(manifest.dialects) ? (manifest.dialects as readonly unknown[]) : []))
      .map((facts) => facts as { readonly module?: unknown; readonly name?: unknown } | null)
      .flatMap((facts) => (typeof facts?.name === 'string' ? [[facts.module, facts.name] as const] : [])),
  );
}
