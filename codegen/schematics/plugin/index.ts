import { installOwnPlugin } from '../engine/install-plugin.js';
import { writeOwned } from '../engine/owned-file.js';
import { FORCE, type Schematic } from '../engine/schematic.js';

/** A plugin of the project, with options and a service. */
export const pluginSchematic: Schematic = {
  kind: 'plugin',
  summary: 'a plugin with options and a service that others may use',
  flags: [FORCE],
  takesFields: false,
  async run({ names, on }, context) {
    const source = `import { definePlugin, token, Type, withDefault } from 'fw';

/** What other plugins and routes get with \`services.get(${names.pascal})\`. */
export interface ${names.pascal} {
  greet(name: string): string;
}

export const ${names.pascal} = token<${names.pascal}>('app.${names.pascal}');

export default definePlugin({
  id: 'app/${names.kebab}',
  category: 'app',
  description: 'Plugin ${names.words}',
  options: Type.Object({ greeting: withDefault(Type.String({ description: 'First word of a greeting' }), 'Hello') }),
  provides: [${names.pascal}],
  register({ options, bind }) {
    bind(${names.pascal}, () => ({ greet: (name) => \`\${options.greeting}, \${name}!\` }));
  },
});
`;
    await writeOwned(context, 'plugin', `app/plugins/${names.kebab}.ts`, source, on('force'));
    await installOwnPlugin(context, `./app/plugins/${names.kebab}.js`);
  },
};
