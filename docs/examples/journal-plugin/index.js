import path from 'node:path';
import { AppInfo, definePlugin, EventBackend, Logger, ok, Type, withDefault } from 'fw';
import { JournalBackend } from './journal-backend.js';

export { JournalBackend };

export default definePlugin({
  id: 'fw-plugin-journal',
  category: 'events',
  description: 'Keeps the messages of the event backend in files, from where they can be read again.',
  fw: '^0.1.0',
  options: Type.Object({
    folder: withDefault(
      Type.String({ minLength: 1, description: "folder of the files, from the project's own" }),
      '.fw/journal',
    ),
  }),
  provides: [EventBackend],
  register({ options, bind, probe }) {
    let backend;
    bind(EventBackend, (services) => {
      const folder = path.resolve(services.get(AppInfo).root, options.folder);
      backend = new JournalBackend(folder, services.get(Logger));
      return backend;
    });
    probe('journal', () => ok(`Messages are kept in ${options.folder}.`, { detail: { ...backend?.stats() } }));
  },
  stop: (services) => services.get(EventBackend).close(),
});
