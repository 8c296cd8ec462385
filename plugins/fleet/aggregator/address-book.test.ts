import { describe, expect, test } from '@jest/globals';
import { AddressBook } from './address-book.js';
import { StoredSpan } from './stored-span.js';

const MINUTE = 60_000;
const book = (maxAddresses = 100) => new AddressBook({ maxAddresses, keepFor: 10 * MINUTE });

function stored(kind: 'client' | 'server', service: string, address: string, status = 200, probability = 1) {
  const [host, port] = address.split(':');
  const attributes = host ? ['server.address', host, 'server.port', Number(port)] : [];
  return new StoredSpan(
    '1', undefined, service, '/', 'GET', status, kind, 0, 0, 1, undefined, [], undefined, undefined, attributes, undefined, probability,
  ); // prettier-ignore
}

const call = (caller: string, address: string, status = 200, probability = 1) =>
  stored('client', caller, address, status, probability);
const answer = (service: string, asked = '') => stored('server', service, asked);

describe('who is at an address', () => {
  test('is known from a call that was answered, whoever calls next', () => {
    const known = book();
    expect(known.serviceAt(call('web', 'orders:80'), 0)).toBeUndefined();
    known.answered(call('web', 'orders:80'), answer('orders-service'), 0);
    expect(known.serviceAt(call('web', 'orders:80', 0), 1)).toBe('orders-service');
    expect(known.serviceAt(call('shop', 'orders:80', 0), 1)).toBe('orders-service');
    expect(known.serviceAt(call('web', 'orders:81', 0), 1)).toBeUndefined();
  });

  test('is known from heartbeats, by any name of the loopback, and not from an address that nobody calls', () => {
    const known = book();
    known.heard({ service: 'orders', service_url: 'http://127.0.0.1:3002' }, 0);
    known.heard(
      { service: 'stock', service_url: 'http://0.0.0.0:3003', openapi_url: 'https://stock.example/openapi.json' },
      0,
    );
    known.heard({ service: 'odd', service_url: 'no url' }, 0);
    expect(known.serviceAt(call('web', 'localhost:3002'), 1)).toBe('orders');
    expect(known.serviceAt(call('web', 'stock.example:443'), 1)).toBe('stock');
    expect(known.size).toBe(2);
  });

  test('is said by the call itself where it has peer.service', () => {
    const named = new StoredSpan(
      '1', undefined, 'web', '/', 'GET', 0, 'client', 0, 0, 1, 'ECONNREFUSED', [], undefined, undefined, ['peer.service', 'orders'], undefined, 1,
    ); // prettier-ignore
    expect(book().serviceAt(named, 0)).toBe('orders');
  });

  test('is nobody where there are several: a gateway, or the loopback of containers', () => {
    const known = book();
    known.answered(call('web', 'edge:80'), answer('orders'), 0);
    known.answered(call('web', 'edge:80'), answer('stock'), 1);
    expect(known.serviceAt(call('web', 'edge:80', 0), 2)).toBeUndefined();
    known.heard({ service: 'a', service_url: 'http://127.0.0.1:3000' }, 0);
    known.heard({ service: 'b', service_url: 'http://localhost:3000' }, 0);
    expect(known.serviceAt(call('web', '127.0.0.1:3000', 0), 1)).toBeUndefined();
  });

  test('is not the service that somebody in between asks', () => {
    const known = book();
    known.answered(call('web', 'bank:80'), answer('rates', 'rates:8080'), 0);
    expect(known.serviceAt(call('web', 'bank:80', 0), 1)).toBeUndefined();
    known.answered(call('web', 'rates:8080'), answer('rates', 'rates:8080'), 0);
    expect(known.serviceAt(call('web', 'rates:8080', 0), 1)).toBe('rates');
    // It has said itself that it is there: that others of its spans are missing does not count against that.
    for (let times = 0; times < 9; times++) known.called(call('web', 'rates:8080', 502));
    expect(known.serviceAt(call('web', 'rates:8080', 0), 1)).toBe('rates');
    // Without a Host header in its spans, it is told by how often others than the service answer.
    known.called(call('web', 'relay:80'));
    known.answered(call('web', 'relay:80'), answer('rates'), 0);
    for (const status of [200, 500, 404]) known.called(call('web', 'relay:80', status));
    expect(known.serviceAt(call('web', 'relay:80', 0), 1)).toBeUndefined();
  });

  test('calls without an answer, and those of traces that are recorded in part, do not count against it', () => {
    const known = book();
    known.answered(call('web', 'orders:80'), answer('orders'), 0);
    for (let times = 0; times < 50; times++) {
      known.called(call('web', 'orders:80', 0));
      known.called(call('web', 'orders:80', 500, 0.1));
    }
    expect(known.serviceAt(call('web', 'orders:80', 0), 1)).toBe('orders');
    // Counts do not grow without end, and what is new weighs more.
    for (let times = 0; times < 5_000; times++) {
      known.called(call('web', 'orders:80'));
      known.answered(call('web', 'orders:80'), answer('orders'), 0);
    }
    expect(known.serviceAt(call('web', 'orders:80', 0), 1)).toBe('orders');
    for (let times = 0; times < 3_000; times++) known.called(call('web', 'orders:80'));
    expect(known.serviceAt(call('web', 'orders:80', 0), 1)).toBeUndefined();
  });

  test('changes when a service moves, and is forgotten in time', () => {
    const known = book();
    known.answered(call('web', '10.0.0.7:80'), answer('orders'), 0);
    known.answered(call('web', '10.0.0.7:80'), answer('stock'), 11 * MINUTE);
    expect(known.serviceAt(call('web', '10.0.0.7:80', 0), 12 * MINUTE)).toBe('stock');
    expect(known.serviceAt(call('web', '10.0.0.7:80', 0), 30 * MINUTE)).toBeUndefined();
    known.sweep(30 * MINUTE);
    expect(known.size).toBe(0);
  });

  test('is kept for a bounded number of addresses, and what had to go is counted', () => {
    const known = book(10);
    for (let port = 1; port <= 30; port++) known.answered(call('web', `orders:${port}`), answer('orders'), port);
    expect(known.size).toBeLessThanOrEqual(10);
    expect(known.size + known.evicted).toBe(60);
    expect(known.serviceAt(call('web', 'orders:30', 0), 31)).toBe('orders');
  });
});
