import path from 'node:path';
import vm from 'node:vm';
import { expect, test } from '@jest/globals';
import { callPlace, type CallPlace } from './call-place.js';

function placeOf(filename: string): string | undefined {
  let place: CallPlace = () => undefined;
  const note = () => (place = callPlace(note));
  const run = vm.runInThisContext('(note) => {\n  note();\n}', { filename }) as (note: () => unknown) => void;
  run(note);
  return place();
}

test.each([
  ['below the folder of the application', path.resolve('app/routes/users.ts'), 'app/routes/users.ts:2'],
  ['in a folder with parentheses', path.resolve('app/(shop)/my users.ts'), 'app/(shop)/my users.ts:2'],
  ['elsewhere', '/srv/plugin (new)/users.js', '/srv/plugin (new)/users.js:2'],
  ['in what is no file', 'evalmachine.<anonymous>', undefined],
])('names the line of a caller %s', (_which, filename, place) => {
  expect(placeOf(filename)).toBe(place);
});
