import { pathOf } from '../engine/actions.js';
import { writeOwned } from '../engine/owned-file.js';
import { refreshRouteList } from '../engine/route-list.js';
import { FORCE, type Schematic, textFlag } from '../engine/schematic.js';

/** A WebSocket endpoint with a protocol of its own. */
export const wsSchematic: Schematic = {
  kind: 'ws',
  summary: 'a route module with a WebSocket endpoint',
  flags: [FORCE, textFlag('path', 'path of the endpoint; default /ws/<name>')],
  takesFields: false,
  async run(request, context) {
    const { names, on } = request;
    const path = pathOf(request, `/ws/${names.kebab}`, 'ws');
    const source = `import { routes } from 'fw/http';

const MAX_MESSAGE_BYTES = 65_536;

/** WebSocket connections at ${path}. */
export default routes((router) => {
  const options = { title: 'Connect to ${names.words}', maxPayload: MAX_MESSAGE_BYTES };
  router.websocket('${path}', options, function connect${names.pascal}(socket) {
    // Answers each message with the same message.
    socket.on('message', (message, isBinary) => socket.send(message, { binary: isBinary }));
  });
}, '${names.kebab}-socket');
`;
    await writeOwned(context, 'ws', `app/routes/${names.kebab}-socket.ts`, source, on('force'));
    await refreshRouteList(context, on('force'));
    context.log(`serves ${path}`);
  },
};
