import { describe, expect, test } from '@jest/globals';
import { eventsProbe, LocalEventBus, MemoryEventBackend } from './index.js';

interface Events {
  tick: number;
}

describe('the probe `events`', () => {
  test('tells what the bus has done', async () => {
    const bus = new LocalEventBus<Events>({ clock: { now: () => 0, monotonic: () => 0 } });
    bus.on('tick', () => undefined);
    await bus.emit('tick', 1);
    expect(eventsProbe(bus)).toEqual({
      status: 'ok',
      summary: '1 dispatches, 1 listener calls; 1 listeners of 1 events',
      detail: {
        events_registered: 1,
        listeners: 1,
        dispatches: 1,
        unheard: 0,
        listener_calls: 1,
        failures: 0,
        observer_failures: 0,
        stopped: 0,
        filtered: 0,
        avg_ms: 0,
        max_ms: 0,
        observer_attached: false,
        recorder: { enabled: true, payloads: false, size: 1, capacity: 256, written: 1, evicted: 0 },
        last_dispatch: { name: 'tick', at: '1970-01-01T00:00:00.000Z', duration_ms: 0 },
        pool: { workers: 16, pending: 0, queued: 0, dropped: 0, capacity: 1024 },
      },
    });
  });

  test('is degraded when listeners fail or events are dropped, and says which', async () => {
    const bus = new LocalEventBus<Events>({ queueCapacity: 1 });
    bus.on('tick', () => Promise.reject(new RangeError('no')));
    bus.emitAsync('tick', 1);
    bus.emitAsync('tick', 2);
    await bus.idle();
    expect(eventsProbe(bus)).toMatchObject({
      status: 'degraded',
      notes: [expect.stringMatching(/^1 listener calls failed/), expect.stringMatching(/^1 events were dropped/)],
    });
  });

  test('shows the backend once it is there, and is degraded when that drops messages or its handlers fail', async () => {
    const backend = new MemoryEventBackend({ maxWaiting: 1 });
    const probe = () => eventsProbe(new LocalEventBus(), backend);
    expect(probe()).toMatchObject({ status: 'ok', detail: { backend: { name: 'memory', published: 0 } } });
    await backend.subscribe('t', () => Promise.reject(new RangeError('no')));
    for (let i = 0; i < 2; i++) await backend.publish('t', new Uint8Array(1));
    await backend.close();
    expect(probe()).toMatchObject({
      status: 'degraded',
      notes: [expect.stringMatching(/^1 messages failed/), expect.stringMatching(/^1 messages were dropped/)],
    });
  });

  test('has no average before the first dispatch', () => {
    expect(eventsProbe(new LocalEventBus()).detail).toMatchObject({ avg_ms: 0, dispatches: 0 });
  });
});
