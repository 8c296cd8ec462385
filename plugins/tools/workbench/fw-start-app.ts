import { defineTool, Type } from '../../../kernel/index.js';
import { runningAppsIn } from '../../../kernel/running/index.js';
import { optional, optionalText, YesNo } from '../../../kernel/schema/index.js';
import { AppState, startApp, stopApp } from './run-app.js';

export const fwStartApp = defineTool({
  name: 'fw_start_app',
  description:
    'Start the project with fw dev (profile dev), which builds it anew on every change, and wait until it answers or say why not; restart ends what serves it before. Ends with this server. Variables come from its .env files.',
  input: Type.Object({
    path: optionalText('project root'),
    restart: optional(YesNo),
  }),
  output: AppState,
  paths: ['path'],
  reach: 'workspace',
  effects: ['runs-project-code'],
  run: async ({ path, restart = false }, context) => {
    const root = path ?? context.workspace;
    if (restart) await stopApp(root);
    const structured = await startApp(root, context);
    const among = structured.state === 'running' ? (await runningAppsIn(context.workspace)).length : 1;
    return { summary: among > 1 ? ONE_OF_SEVERAL : SUMMARIES[structured.state], structured };
  },
});

const ONE_OF_SEVERAL =
  'It runs. Others run in this workspace too: name its address to the runtime tools as service_url.';

const SUMMARIES: Readonly<Record<AppState['state'], string>> = {
  running: 'It runs; the runtime tools find it without service_url.',
  failed: 'It does not start: see problem. Mend it, and fw dev starts it by itself; call this again for how it stands.',
  starting: 'It is still starting; call this again for how it stands.',
  building: 'It runs, and is being built anew; call this again for how it stands.',
  ended: 'fw dev has ended: see output.',
};
