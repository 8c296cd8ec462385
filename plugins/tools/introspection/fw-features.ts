import { Type } from 'typebox';
import { defineTool, fwError, TOOL_CATEGORIES, type ServedCategory } from '../../../kernel/index.js';
import { Anything, Integer, optional, optionalText, Text, Texts } from '../../../kernel/schema/index.js';
import { INTROSPECTION_ERRORS } from './errors.js';
import { FEATURES, findFeature, type Feature } from './feature-catalogue.js';

const Flag = Type.Object({
  name: Text,
  type: Text,
  default: Anything,
  usage: Text,
});

const Listed = Type.Object({
  name: Text,
  summary: Text,
  priority: Type.Integer({ description: 'position in the order of app.config.ts' }),
  plugin: Type.String({ description: 'what app.config.ts imports' }),
  aliases: Texts,
  flags: optional(Type.Array(Flag, { description: 'of a feature that was named' })),
});

const Category = Type.Object({
  category: Type.Enum(TOOL_CATEGORIES),
  granted: Type.Boolean({ description: 'whether the token reaches it' }),
  plugins: Type.Array(Text, { description: 'where its tools come from' }),
  tools: Type.Array(Text, { description: 'what this server holds of it' }),
});

export const fwFeatures = defineTool({
  name: 'fw_features',
  description: 'List the features that fw_add can wire into a project, or one feature with its flags.',
  input: Type.Object({ feature: optionalText('name or alias') }),
  output: Type.Object({ features: Type.Array(Listed), count: Integer, categories: Type.Array(Category) }),
  texts: ['feature'],
  reach: 'inProcess',
  effects: [],
  run: async ({ feature: wanted }, { categories }) => {
    const name = wanted?.trim().toLowerCase() ?? '';
    const features = name === '' ? FEATURES : [known(name)];
    return {
      summary: `${features.length} feature(s)`,
      structured: {
        features: name === '' ? features.map(toListed) : features.map(toDescribed),
        count: features.length,
        categories,
      },
      text: name === '' ? table(features, categories) : detail(features[0] as Feature, name),
    };
  },
});

function known(name: string): Feature {
  const feature = findFeature(name);
  if (feature) return feature;
  throw fwError(INTROSPECTION_ERRORS.FW_TOOLS_FEATURE, { name, known: FEATURES.map((each) => each.name) });
}

const toListed = ({ name, summary, priority, plugin, aliases }: Feature) => ({
  ...{ name, summary, priority, plugin },
  aliases: [...aliases],
});

const toDescribed = (feature: Feature) => ({
  ...toListed(feature),
  flags: feature.flags.map(({ name, type, default: value, usage }) => ({ name, type, default: value, usage })),
});

function table(features: readonly Feature[], categories: readonly ServedCategory[]): string {
  const width = Math.max(...features.map(({ name }) => name.length));
  const rows = features.map(({ name, summary }) => `${name.padEnd(width)}  ${summary}`);
  const held = categories.map(
    ({ category, granted, plugins, tools }) =>
      `  ${category}${granted ? '' : ' (not granted)'}: ${tools.join(', ')} [${plugins.join(', ')}]`,
  );
  return [
    ...rows,
    '',
    `${features.length} features. Name one to see its flags; add one with fw_add.`,
    ...(held.length > 0 ? ['', 'Tools of this server by category [plugins]:', ...held] : []),
  ].join('\n');
}

function detail({ name, summary, flags }: Feature, given: string): string {
  const alias = given === name ? [] : [`(${given} is an alias of ${name})`];
  const listed = flags.map((flag) => `  --${flag.name}  ${flag.usage} (default ${JSON.stringify(flag.default)})`);
  const example = { feature: name, ...(flags[0] && { flags: { [flags[0].name]: flags[0].default } }) };
  return [
    `${name}: ${summary}`,
    ...alias,
    ...(listed.length > 0 ? listed : ['  takes no flags']),
    `Example: fw_add ${JSON.stringify(example)}`,
  ].join('\n');
}
