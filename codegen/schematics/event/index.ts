import { parseFields, type Field } from '../engine/fields.js';
import { typeText } from '../engine/field-text.js';
import type { Names } from '../engine/names.js';
import { writeOwned } from '../engine/owned-file.js';
import { readConfig } from '../engine/project.js';
import { FORCE, type Schematic } from '../engine/schematic.js';

/** A typed event of the application's bus. */
export const eventSchematic: Schematic = {
  kind: 'event',
  summary: 'a typed event of the bus, with functions to emit it and to listen to it',
  flags: [FORCE],
  takesFields: true,
  async run({ names, fields, on }, context) {
    await readConfig(context);
    await writeOwned(
      context,
      'event',
      `app/events/${names.kebab}.ts`,
      eventText(names, parseFields(fields)),
      on('force'),
    );
    context.log(`next: fw generate listener ${names.pascal} makes a listener`);
  },
};

/** Name of an event on the bus: `app.order.placed` for `OrderPlaced`. */
const eventName = ({ snake }: Names): string => `app.${snake.replaceAll('_', '.')}`;

function eventText(names: Names, fields: readonly Field[]): string {
  const { pascal, words } = names;
  const name = eventName(names);
  const members = fields.map((field) => `  readonly ${field.property}: ${plainType(field)};\n`).join('');
  const payload =
    members === ''
      ? `export type ${pascal} = Readonly<Record<string, never>>;`
      : `export interface ${pascal} {\n${members}}`;
  return `import type { EventBus } from 'fw';

/** What is said when: ${words}. */
${payload}

declare global {
  interface FwEvents {
    '${name}': ${pascal};
  }
}

/** Calls everybody who listens, one after another. */
export function emit${pascal}(bus: EventBus, event: ${pascal}) {
  return bus.emit('${name}', event);
}

/** Calls a function for each ${words}. @returns ends this */
export function on${pascal}(bus: EventBus, listener: (event: ${pascal}) => unknown): () => void {
  return bus.on('${name}', listener);
}
`;
}

// Events have no columns, so types of the ORM become plain TypeScript types.
const plainType = (field: Field): string =>
  typeText(field)
    .replace(/^Int\b/, 'number')
    .replace(/^(Text|Uuid)\b/, 'string')
    .replace(/^Json<unknown>.*/, 'unknown');
