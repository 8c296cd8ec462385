import type { PluginManifest } from '../../kernel/plugin/index.js';
import { peerRange, type PluginPackage, rangeProblems } from './plugin-package.js';
import { doubtful, type PluginProblem, wrong } from './problem.js';

/** Mistakes in the content of a manifest; definePlugin has checked its form. */
export function definitionProblems({ id, order, fw }: PluginManifest, found: PluginPackage): readonly PluginProblem[] {
  const { name } = found;
  const isOwn = name === '' || id === name || id.startsWith(`${name}/`);
  const fix = 'Use the name of the package: boot reports and errors name plugins by their id.';
  return [
    ...frameworkProblems(fw, peerRange(found)),
    ...(isOwn ? [] : [wrong('definition', `its id is ${id}, but the package is ${name}`, fix)]),
    ...(order && (order.because?.trim() ?? '') === ''
      ? [
          doubtful(
            'definition',
            'its order gives no reason',
            'Write order.because: it is part of the error that users see.',
          ),
        ]
      : []),
  ];
}

// npm reads the range of package.json and the boot that of the manifest, so both have to agree.
function frameworkProblems(fw: string | undefined, peer: unknown): readonly PluginProblem[] {
  if (fw === undefined) {
    const fix = `Add fw: ${JSON.stringify(peer ?? '...')} to definePlugin: boot holds it against the fw that runs.`;
    return [wrong('definition', 'its manifest does not say for which releases of fw it is made', fix)];
  }
  if (peer !== undefined && peer !== fw) {
    const message = `its manifest is for fw ${fw}, its peer dependency for ${String(peer)}`;
    return [wrong('definition', message, 'Write the same range in both.')];
  }
  return rangeProblems('definition', 'fw in its manifest', fw);
}

/** Mistakes in the schema of the options. */
export function optionProblems({ options }: PluginManifest): readonly PluginProblem[] {
  const schema = options as
    { readonly type?: unknown; readonly properties?: Readonly<Record<string, object>> } | undefined;
  if (schema?.type !== 'object')
    return [wrong('options', 'the schema of its options is not an object', 'Declare options: Type.Object({ ... }).')];
  return Object.entries(schema.properties ?? {})
    .filter(([, member]) => !('description' in member) && !describedInside(member))
    .map(([name]) =>
      doubtful('options', `option ${name} has no description`, 'Describe it: it is what users see in errors and docs.'),
    );
}

// withDefault and unions keep the description of the schema that they wrap.
function describedInside(member: object): boolean {
  const { anyOf } = member as { readonly anyOf?: readonly object[] };
  return anyOf?.some((each) => 'description' in each) === true;
}
