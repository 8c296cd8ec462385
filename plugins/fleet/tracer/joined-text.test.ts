import { expect, test } from '@jest/globals';
import { JoinedText } from './joined-text.js';

test('each text has the parts that were added since the last one, however long that was', () => {
  const text = new JoinedText();
  for (let part = 0; part < 1000; part++) text.add(`${part},`);
  expect(text.take()).toBe(Array.from({ length: 1000 }, (_, part) => `${part},`).join(''));
  expect(text.take()).toBe('');
  text.add('short');
  expect(text.take()).toBe('short');
  for (let part = 0; part < 700; part++) text.add('x');
  expect(text.take()).toBe('x'.repeat(700));
});
