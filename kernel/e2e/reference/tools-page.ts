import type { TSchema } from 'typebox';
import type { Tool } from '../../contracts/index.js';
import {
  type CapabilityRegistry,
  isToolCategory,
  type RegisteredPlugin,
  type RegisteredTool,
} from '../../plugin/index.js';

type Described = TSchema & {
  readonly type?: string;
  readonly description?: string;
  readonly default?: unknown;
  readonly enum?: readonly unknown[];
  readonly items?: Described;
  readonly anyOf?: readonly Described[];
  readonly properties?: Readonly<Record<string, Described>>;
  readonly required?: readonly string[];
};

/** The page that lists every tool of the control plane, by category. */
export function toolsPage(registry: CapabilityRegistry): string {
  return [
    '# Tools of the control plane',
    '',
    'Generated from the tools by `npm run docs`; do not edit. A token is granted categories (`--scope`), never single tools. Tools',
    'marked *in-process* are also served by an app-runtime server and inside an application; the others need a source tree.',
    'Every answer carries its data as `structuredContent`, and the same as text. The fields of a result are listed here and not in',
    '`tools/list`.',
    '',
    ...registry
      .contents()
      .flatMap(({ category, plugins, tools }) => (isToolCategory(category) ? section(category, plugins, tools) : [])),
  ].join('\n');
}

function section(
  category: string,
  plugins: readonly RegisteredPlugin[],
  tools: readonly RegisteredTool[],
): readonly string[] {
  const brought = plugins.map(({ id, description }) => `Plugin \`${id}\`: ${description}`);
  return [`## ${category}`, '', ...brought, '', ...tools.flatMap(({ tool }) => entry(tool))];
}

function entry(tool: Tool): string[] {
  return [
    `### ${tool.name}`,
    '',
    tool.description,
    '',
    ...facts(tool),
    '',
    ...inputs(tool),
    ...outputs(tool.output as Described),
  ];
}

function facts({ reach, effects, heedsReadOnly, paths = [] }: Tool): string[] {
  const refrains = heedsReadOnly ? '; none on a server that changes nothing' : '';
  return [
    `- runs: ${reach === 'inProcess' ? 'in-process' : 'with a source tree'}`,
    `- effects: ${effects.length === 0 ? 'none' : `${effects.join(', ')}${refrains}`}`,
    ...(paths.length > 0 ? [`- confined paths: ${paths.map((name) => `\`${name}\``).join(', ')}`] : []),
  ];
}

function inputs({ input }: Tool): string[] {
  const properties = Object.entries(input.properties as Record<string, Described>);
  if (properties.length === 0) return ['Takes no arguments.', ''];
  const required = new Set((input.required ?? []) as string[]);
  const rows = properties.map(([name, schema]) =>
    row([`\`${name}\``, typeOf(schema), required.has(name) ? 'yes' : '', remark(schema)]),
  );
  return ['| Argument | Type | Required | Meaning |', '|---|---|---|---|', ...rows, ''];
}

function outputs(output: Described): string[] {
  const shapes = output.anyOf ?? [output];
  return shapes.flatMap((shape) => {
    const rows = Object.entries(shape.properties ?? {}).map(([name, schema]) => {
      const optional = shape.required?.includes(name) ? '' : '?';
      return row([`\`${name}\`${optional}`, typeOf(schema), remark(schema)]);
    });
    return ['| Result | Type | Meaning |', '|---|---|---|', ...rows, ''];
  });
}

function row(cells: readonly string[]): string {
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
}

function remark({ description = '', default: standard }: Described): string {
  const value = standard === undefined ? '' : `default \`${JSON.stringify(standard)}\``;
  return [description, value].filter((part) => part !== '').join('; ');
}

function typeOf({ type, enum: values, items, anyOf }: Described): string {
  if (values) return values.map((value) => `\`${String(value)}\``).join(', ');
  if (anyOf) return [...new Set(anyOf.map(typeOf))].join(' or ');
  if (type === 'array') return `list of ${items ? typeOf(items) : 'anything'}`;
  return type ?? 'anything';
}
