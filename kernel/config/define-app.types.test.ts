// Checked by tsc: what compiles, and what must not.
import { Type } from 'typebox';
import { definePlugin } from '../plugin/index.js';
import { plugin } from './define-app.js';
import { withDefault } from './options.js';

const optional = definePlugin({
  id: 'a',
  category: 'app',
  description: 'Each option may be left out.',
  options: Type.Object({ port: withDefault(Type.Integer(), 3000), host: Type.Optional(Type.String()) }),
  start({ options }) {
    options.port satisfies number;
    // @ts-expect-error an option without a default may be missing
    options.host satisfies string;
  },
});

const required = definePlugin({
  id: 'b',
  category: 'app',
  description: 'One option is required.',
  options: Type.Object({ secret: Type.String() }),
});

const without = definePlugin({ id: 'c', category: 'app', description: 'No options.' });

plugin(async () => optional);
plugin(async () => ({ default: optional }), { port: 1 });
plugin(async () => optional, { host: 'x' }, { test: { port: 0 }, prod: false });
plugin(async () => required, { secret: 's' });
plugin(async () => without);

// @ts-expect-error a required option is missing
plugin(async () => required);
// @ts-expect-error the option has another type
plugin(async () => optional, { port: '3000' });
// @ts-expect-error there is no such option
plugin(async () => optional, { prot: 1 });
// @ts-expect-error there is no such option in a profile
plugin(async () => optional, {}, { test: { prot: 1 } });
// @ts-expect-error there is no such profile
plugin(async () => optional, {}, { staging: false });
// @ts-expect-error the module does not export a plugin
plugin(async () => ({ default: 3 }));
// @ts-expect-error there is no such category
definePlugin({ id: 'd', category: 'magic', description: '' });
// @ts-expect-error there is no such key
definePlugin({ id: 'd', category: 'app', description: '', need: [] });
