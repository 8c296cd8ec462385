import type { TSchema } from 'typebox';
import type { PluginManifest } from '../../plugin/index.js';

type Described = TSchema & {
  readonly type?: string;
  readonly description?: string;
  readonly default?: unknown;
  readonly anyOf?: readonly Described[];
  readonly duration?: { readonly range: string };
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly items?: Described;
  readonly typeof?: string;
  readonly secret?: boolean;
};

/** The page that lists every option of every plugin of the framework. */
export function optionsPage(manifests: readonly PluginManifest[]): string {
  const sorted = [...manifests].sort((a, b) => (a.id < b.id ? -1 : 1));
  return [
    '# Plugins and their options',
    '',
    'Generated from the plugins by `npm run docs`; do not edit.',
    '',
    ...sorted.flatMap(section),
  ].join('\n');
}

function section({ id, category, description, options, needs, order }: PluginManifest): string[] {
  const properties = Object.entries((options?.properties ?? {}) as Record<string, Described>);
  const required = new Set((options?.required ?? []) as readonly string[]);
  return [
    `## ${id}`,
    '',
    `${description.replace(/\.$/, '')}. Category \`${category}\`${needs?.length ? `; needs ${needs.map((need) => `\`${need}\``).join(', ')}` : ''}.`,
    '',
    ...(order ? [`Order: ${orderWords(order)}, because ${order.because}.`, ''] : []),
    ...(properties.length === 0 ? ['No options.', ''] : table(properties, required)),
  ];
}

function orderWords({ after = [], before = [] }: NonNullable<PluginManifest['order']>): string {
  const list = (ids: readonly string[]) => ids.map((id) => `\`${id}\``).join(', ');
  return [after.length ? `after ${list(after)}` : '', before.length ? `before ${list(before)}` : '']
    .filter(Boolean)
    .join('; ');
}

function table(properties: readonly [string, Described][], required: ReadonlySet<string>): string[] {
  const rows = properties.map(
    ([name, schema]) =>
      `| \`${name}\` | ${cell(typeWords(schema))} | ${defaultWords(schema, required.has(name))} | ${cell(schema.description ?? '')}${schema.secret ? ' (secret)' : ''} |`,
  );
  return ['| Option | Type | Default | Meaning |', '|---|---|---|---|', ...rows, ''];
}

function defaultWords(schema: Described, required: boolean): string {
  if (schema.default !== undefined) return `\`${cell(JSON.stringify(schema.default))}\``;
  return required ? 'required' : '';
}

function typeWords(schema: Described): string {
  if (schema.typeof) return schema.typeof;
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' or ');
  const range = schema.duration ? `, ${schema.duration.range}` : '';
  if (schema.anyOf) return `${schema.anyOf.map(typeWords).join(' or ')}${range}`;
  if (schema.type === 'array') return `array of ${schema.items ? typeWords(schema.items) : 'anything'}`;
  return schema.type ?? 'any';
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('\n', ' ');
}
