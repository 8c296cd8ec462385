import { describe, expect, test } from '@jest/globals';
import { plural, singular, tableNameOf } from './naming.js';

const NOUNS: readonly (readonly [one: string, many: string])[] = [
  ['address', 'addresses'],
  ['quiz', 'quizzes'],
  ['news', 'news'],
  ['person', 'people'],
  ['child', 'children'],
  ['status', 'statuses'],
  ['analysis', 'analyses'],
  ['city', 'cities'],
  ['day', 'days'],
  ['box', 'boxes'],
  ['house', 'houses'],
  ['cookie', 'cookies'],
  ['movie', 'movies'],
  ['shoe', 'shoes'],
  ['schema', 'schemas'],
  ['virus', 'viruses'],
  ['hero', 'heroes'],
  ['series', 'series'],
  ['staff', 'staff'],
  ['axis', 'axes'],
  ['lens', 'lenses'],
  ['order_line', 'order_lines'],
  ['news_item', 'news_items'],
  ['sales_person', 'sales_people'],
  ['billing_address', 'billing_addresses'],
];

describe('plurals', () => {
  test.each(NOUNS)('of %s is %s, and back', (one, many) => {
    expect(plural(one)).toBe(many);
    expect(singular(many)).toBe(one);
  });

  test('keep what stands before the last word', () => {
    expect(singular('shop.order_lines')).toBe('shop.order_line');
    expect(plural('')).toBe('');
  });

  test.each([
    ['InvoiceAddress', 'invoice_addresses'],
    ['Quiz', 'quizzes'],
    ['News', 'news'],
    ['HTTPLog', 'http_logs'],
  ])('name the table of %s %s', (name, table) => {
    expect(tableNameOf(name)).toBe(table);
  });
});
