import { defineTool, Type } from '../../../kernel/index.js';
import { optionalText } from '../../../kernel/schema/index.js';
import { stopApp } from './run-app.js';

export const fwStopApp = defineTool({
  name: 'fw_stop_app',
  description: 'Stop the processes of this user that serve the project; requests in flight are finished.',
  input: Type.Object({ path: optionalText('project root') }),
  output: Type.Object({ stopped: Type.Array(Type.Integer({ description: 'process' })) }),
  paths: ['path'],
  reach: 'workspace',
  effects: ['runs-project-code'],
  idempotent: true,
  run: async ({ path }, context) => {
    const stopped = [...(await stopApp(path ?? context.workspace))];
    const summary = stopped.length === 0 ? 'Nothing serves the project.' : 'Stopped; fw_start_app starts it again.';
    return { summary, structured: { stopped } };
  },
});
