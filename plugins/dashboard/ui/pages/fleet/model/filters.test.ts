import { describe, expect, test } from '@jest/globals';
import { activeParts, addressOf, filterOf, NO_FILTER, tagProblem, traceQuery } from './filters.js';

const read = (text: string) => filterOf(new URLSearchParams(text));

describe('the filter of the trace list', () => {
  test('is read from the address, and goes there again', () => {
    const filter = read('service=orders&status=error&min_ms=12.5&tag=order_id:1&min_services=2');
    expect(filter).toEqual({
      service: 'orders',
      status: 'error',
      minDuration: '12.5',
      tag: 'order_id:1',
      minServices: '2',
    });
    expect(filterOf(new URLSearchParams({ ...addressOf(filter) }))).toEqual(filter);
    expect(activeParts(filter)).toBe(5);
  });

  test('leaves out what makes no sense', () => {
    expect(read('status=fine&min_ms=fast&min_services=-1')).toEqual(NO_FILTER);
  });

  test('asks the aggregator, which would hide traces of one service by itself', () => {
    expect(traceQuery(NO_FILTER, { size: 500 })).toBe('page_size=500&min_services=1');
    const filter = read('service=a b&status=503&min_ms=5&tag=k:v&min_services=3');
    expect(traceQuery(filter, { size: 50, cursor: 'xyz' })).toBe(
      'page_size=50&min_services=3&service=a+b&status=503&min_duration_ms=5&tag=k%3Av&cursor=xyz',
    );
  });

  test('says what is wrong with a tag and does not send it', () => {
    expect(tagProblem('order_id')).toMatch(/key:value/);
    expect(tagProblem('url:http://x')).toBeUndefined();
    expect(traceQuery(read('tag=order_id'), { size: 1 })).not.toContain('tag');
  });
});
