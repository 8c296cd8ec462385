import { expect, test } from '@jest/globals';
import { withArticle } from './article.js';

test.each([
  'a user', 'a usage report', 'a university', 'a unit', 'a union', 'a utility', 'a url', 'a european order', 'a one time code', 'a house',
  'an order line', 'an article', 'an invoice', 'an hour', 'an honour', 'an usher', 'an uninvited guest', 'an upload', 'an event',
])('%s', (said) => {
  expect(withArticle(said.replace(/^an? /, ''))).toBe(said);
}); // prettier-ignore
