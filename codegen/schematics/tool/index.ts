import { PROJECT_FW } from '../../../kernel/invocation/index.js';
import { installOwnPlugin } from '../engine/install-plugin.js';
import { writeOwned } from '../engine/owned-file.js';
import { FORCE, type Schematic } from '../engine/schematic.js';

/** A tool of the control plane in the project. */
export const toolSchematic: Schematic = {
  kind: 'tool',
  summary: 'a plugin with an MCP tool that reads the running application',
  flags: [FORCE],
  takesFields: false,
  async run({ names, on }, context) {
    const source = `import { AppInfo, definePlugin, defineTool, ToolContribution, Type } from 'fw';

export default definePlugin({
  id: 'app/${names.kebab}-tool',
  category: 'runtime',
  description: 'Tool app_${names.snake}',
  register({ contribute }) {
    contribute(ToolContribution, (services) =>
      defineTool({
        name: 'app_${names.snake}',
        description: 'Say what ${names.words} is about, in one sentence.',
        input: Type.Object({ topic: Type.Optional(Type.String({ description: 'what to say it about' })) }),
        output: Type.Object({ app: Type.String(), topic: Type.String() }),
        texts: ['topic'],
        reach: 'inProcess',
        effects: [],
        run: ({ topic = '' }) => {
          const { name: app } = services.get(AppInfo);
          return Promise.resolve({ summary: \`\${app}: \${topic}\`, structured: { app, topic } });
        },
      }),
    );
  },
});
`;
    await writeOwned(context, 'tool', `app/tools/${names.kebab}.ts`, source, on('force'));
    await installOwnPlugin(context, `./app/tools/${names.kebab}.js`);
    context.log(
      `serve it in process (${PROJECT_FW} add mcp), or after ${PROJECT_FW} build with fw-mcp --config dist/app.config.js`,
    );
  },
};
