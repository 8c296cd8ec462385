import { fwError } from '../../../kernel/errors/index.js';
import { installOwnPlugin } from '../engine/install-plugin.js';
import { namesOf } from '../engine/names.js';
import { writeOwned } from '../engine/owned-file.js';
import { FORCE, type Schematic, textFlag } from '../engine/schematic.js';
import { SCHEMATICS_ERRORS } from '../errors.js';

/** A plugin that listens to an event of the project. */
export const listenerSchematic: Schematic = {
  kind: 'listener',
  summary: 'a plugin that listens to an event; its name is the name of the event',
  flags: [FORCE, textFlag('name', 'name of the listener; default On<Event>')],
  takesFields: false,
  async run({ names: event, text, on }, context) {
    const names = namesOf(text('name') || `On${event.pascal}`);
    const file = `app/events/${event.kebab}.ts`;
    if ((await context.read(file)) === undefined) {
      throw fwError(SCHEMATICS_ERRORS.FW_SCHEMATIC_NAME, {
        name: event.pascal,
        expected: `the name of an event in ${file}; make it with fw generate event ${event.pascal}`,
      });
    }
    const source = `import { definePlugin, EventBus } from 'fw';
import { on${event.pascal} } from '../events/${event.kebab}.js';

let end: (() => void) | undefined;

/** Listens to: ${event.words}. */
export default definePlugin({
  id: 'app/${names.kebab}',
  category: 'app',
  description: 'Listens to ${event.words}',
  start({ get, log }) {
    end = on${event.pascal}(get(EventBus), (event) => {
      log.info({ event }, '${event.words}');
    });
  },
  stop() {
    end?.();
  },
});
`;
    await writeOwned(context, 'listener', `app/listeners/${names.kebab}.ts`, source, on('force'));
    await installOwnPlugin(context, `./app/listeners/${names.kebab}.js`);
  },
};
