import { describe, expect, test } from '@jest/globals';
import type { DispatchRecord } from '../contracts/events.js';
import { EVENT_PRIORITY, type EventPhase, STOP_PROPAGATION } from '../contracts/events.js';
import { RecordingLogger } from '../testing/recording-logger.js';
import { type EventBusOptions, LocalEventBus } from './index.js';

interface Shop {
  'order.placed': { readonly id: number };
  'order.paid': number;
  'shop.closed': undefined;
}

const busOf = (options: EventBusOptions = {}) => new LocalEventBus<Shop>(options);
const tick = () => new Promise(setImmediate);

/** A promise and the functions that settle it. */
function gate() {
  let open = (): void => undefined;
  const opened = new Promise<void>((done) => (open = done));
  return { opened, open };
}

describe('emit', () => {
  test('calls each listener with the payload and the name, and tells how many', async () => {
    const bus = busOf();
    const calls: unknown[] = [];
    bus.on('order.placed', (payload, name) => calls.push([payload.id, name]));
    bus.on('order.placed', () => calls.push('second'));
    bus.on('order.paid', () => calls.push('another event'));
    expect(await bus.emit('order.placed', { id: 7 })).toEqual({ called: 2, stopped: false, errors: [] });
    expect(calls).toEqual([[7, 'order.placed'], 'second']);
  });

  test('waits for each listener before the next one', async () => {
    const bus = busOf();
    const steps: string[] = [];
    const { opened, open } = gate();
    bus.on('order.paid', async () => {
      steps.push('first begins');
      await opened;
      steps.push('first ends');
    });
    bus.on('order.paid', () => void steps.push('second'));
    bus.on('order.paid', () => tick().then(() => steps.push('third')));
    const emitted = bus.emit('order.paid', 1);
    await tick();
    expect(steps).toEqual(['first begins']);
    open();
    expect((await emitted).called).toBe(3);
    expect(steps).toEqual(['first begins', 'first ends', 'second', 'third']);
  });

  test('calls synchronous listeners before it returns', () => {
    const bus = busOf();
    let called = false;
    bus.on('shop.closed', () => {
      called = true;
    });
    void bus.emit('shop.closed', undefined);
    expect(called).toBe(true);
  });

  test('makes nothing when nobody listens, but counts', async () => {
    const bus = busOf();
    const [one, other] = [bus.emit('order.paid', 1), bus.emit('order.paid', 2)];
    expect(one).toBe(other);
    expect(await one).toEqual({ called: 0, stopped: false, errors: [] });
    expect(bus.metrics()).toMatchObject({ unheard: 2, dispatches: 0 });
    expect(bus.recent()).toEqual([]);
  });
});

describe('order', () => {
  test('goes by phase, then by priority, then by age', async () => {
    const bus = busOf();
    const order: string[] = [];
    const add = (name: string, phase: EventPhase, priority: number) =>
      bus.on('order.paid', () => void order.push(name), { phase, priority });
    add('after, highest', 'after', EVENT_PRIORITY.highest);
    add('normal, first', 'normal', 0);
    add('normal, low', 'normal', EVENT_PRIORITY.low);
    add('before, lowest', 'before', EVENT_PRIORITY.lowest);
    add('normal, second', 'normal', 0);
    add('normal, high', 'normal', EVENT_PRIORITY.high);
    add('before', 'before', 0);
    bus.on('order.paid', () => void order.push('normal, third'));
    await bus.emit('order.paid', 1);
    expect(order).toEqual([
      'before',
      'before, lowest',
      'normal, high',
      'normal, first',
      'normal, second',
      'normal, third',
      'normal, low',
      'after, highest',
    ]);
  });

  test.each([
    ['returned', () => STOP_PROPAGATION],
    ['promised', () => Promise.resolve(STOP_PROPAGATION)],
  ])('ends with the listener that asks for it (%s)', async (_, stop) => {
    const bus = busOf();
    const order: string[] = [];
    bus.on('order.paid', () => void order.push('before'), { phase: 'before' });
    bus.on('order.paid', stop);
    bus.on('order.paid', () => void order.push('after'), { phase: 'after' });
    expect(await bus.emit('order.paid', 1)).toEqual({ called: 2, stopped: true, errors: [] });
    expect(order).toEqual(['before']);
    expect(bus.metrics().stopped).toBe(1);
  });
});

describe('filter', () => {
  test('leaves out what it does not pass, and counts it', async () => {
    const bus = busOf();
    const paid: number[] = [];
    bus.on('order.paid', (amount) => paid.push(amount), { filter: (amount) => amount > 10 });
    for (const amount of [5, 20, 10, 30]) await bus.emit('order.paid', amount);
    expect(paid).toEqual([20, 30]);
    expect(bus.metrics()).toMatchObject({ filtered: 2, calls: 2 });
  });

  test('that throws counts as a failure of its listener', async () => {
    const bus = busOf();
    const filter = (): boolean => {
      throw new RangeError('filter');
    };
    bus.on('order.paid', () => undefined, { filter });
    expect(await bus.emit('order.paid', 1)).toMatchObject({ called: 0, errors: [new RangeError('filter')] });
  });
});

describe('adding and removing', () => {
  test('ends a listener with the function that on returned, or with off', async () => {
    const bus = busOf();
    let calls = 0;
    const listener = () => calls++;
    const end = bus.on('order.paid', listener);
    bus.on('order.paid', listener, { phase: 'after' });
    end();
    end();
    await bus.emit('order.paid', 1);
    expect(calls).toBe(1);
    expect(bus.off('order.paid', listener)).toBe(true);
    expect(bus.off('order.paid', listener)).toBe(false);
    await bus.emit('order.paid', 1);
    expect(calls).toBe(1);
  });

  test('knows whether anybody listens', () => {
    const bus = busOf();
    const end = bus.on('order.paid', () => undefined);
    expect([bus.has('order.paid'), bus.has('order.placed')]).toEqual([true, false]);
    end();
    expect(bus.has('order.paid')).toBe(false);
    expect(bus.metrics()).toMatchObject({ events: 0, listeners: 0 });
  });

  test('ends one listener without touching those of the same event that came later', async () => {
    const bus = busOf();
    const end = bus.on('order.paid', () => undefined);
    end();
    let called = false;
    bus.on('order.paid', () => void (called = true));
    end();
    await bus.emit('order.paid', 1);
    expect(called).toBe(true);
  });

  test('does not call a listener that was removed while the event was under way', async () => {
    const bus = busOf();
    const calls: string[] = [];
    bus.on('order.paid', async () => {
      await tick();
      end();
    });
    const end = bus.on('order.paid', () => void calls.push('removed'));
    bus.on('order.paid', () => void calls.push('kept'));
    await bus.emit('order.paid', 1);
    expect(calls).toEqual(['kept']);
  });

  test('does not call a listener that was added while the event was under way', async () => {
    const bus = busOf();
    const calls: string[] = [];
    bus.on('order.paid', () => void bus.on('order.paid', () => void calls.push('added'), { phase: 'after' }));
    bus.on('order.paid', () => tick());
    await bus.emit('order.paid', 1);
    expect(calls).toEqual([]);
    await bus.emit('order.paid', 1);
    expect(calls).toEqual(['added']);
  });

  test('once calls once, even when the listener emits the event again', async () => {
    const bus = busOf();
    const calls: number[] = [];
    bus.once('order.paid', async (amount) => {
      calls.push(amount);
      await bus.emit('order.paid', amount + 1);
    });
    await bus.emit('order.paid', 1);
    expect(calls).toEqual([1]);
    expect(bus.has('order.paid')).toBe(false);
  });

  test('once with a filter waits for the first event that passes, and can be ended before', async () => {
    const bus = busOf();
    const calls: number[] = [];
    bus.once('order.paid', (amount) => calls.push(amount), { filter: (amount) => amount > 1 });
    const end = bus.once('order.paid', () => calls.push(-1), { filter: (amount) => amount > 1 });
    end();
    for (const amount of [1, 2, 3]) await bus.emit('order.paid', amount);
    expect(calls).toEqual([2]);
  });

  test('refuses so many listeners that it must be a leak, and can be used further', async () => {
    const bus = busOf({ maxListeners: 2 });
    const end = bus.on('order.paid', () => undefined);
    bus.on('order.paid', () => undefined);
    expect(() => bus.on('order.paid', () => undefined)).toThrow(/"order\.paid" has 2 listeners already.* leak/);
    end();
    bus.on('order.paid', () => undefined);
    expect((await bus.emit('order.paid', 1)).called).toBe(2);
  });

  test.each([
    ['a listener that is no function', () => busOf().on('order.paid', undefined as never), /listener is undefined/],
    [
      'a phase',
      () => busOf().on('order.paid', () => 1, { phase: 'middle' as never }),
      /phase is middle.*before, normal/,
    ],
    [
      'a phase that every object has',
      () => busOf().on('order.paid', () => 1, { phase: 'toString' as never }),
      /phase is toString/,
    ],
    ['a priority', () => busOf().on('order.paid', () => 1, { priority: Number.NaN }), /priority is NaN/],
    [
      'a priority that is no number',
      () => busOf().on('order.paid', () => 1, { priority: Symbol('first') as never }),
      /priority is Symbol/,
    ],
    ['a filter', () => busOf().on('order.paid', () => 1, { filter: 'paid' as never }), /filter is paid/],
    ['a concurrency', () => busOf({ concurrency: 0 }), /concurrency is 0/],
    ['a ring', () => busOf({ recorded: -1 }), /recorded is -1/],
  ])('refuses %s', (_, make, problem) => {
    expect(make).toThrow(problem);
    expect(make).toThrow(expect.objectContaining({ code: 'FW_EVENTS_OPTION' }));
  });

  test('leaves nothing of a name whose first listener was refused', () => {
    const bus = busOf();
    expect(() => bus.on('order.paid', undefined as never)).toThrow(/listener/);
    expect(bus.has('order.paid')).toBe(false);
  });
});

describe('errors of listeners', () => {
  const failing = (options: EventBusOptions = {}) => {
    const bus = busOf(options);
    const calls: string[] = [];
    bus.on('order.paid', function first() {
      throw new RangeError('thrown');
    });
    bus.on('order.paid', () => Promise.reject(new TypeError('rejected')));
    bus.on('order.paid', () => void calls.push('last'));
    return { bus, calls };
  };

  test('are contained: the others are called, and the errors are collected, counted and logged', async () => {
    const log = new RecordingLogger();
    const { bus, calls } = failing({ log });
    const result = await bus.emit('order.paid', 1);
    expect(result).toEqual({
      called: 3,
      stopped: false,
      errors: [new RangeError('thrown'), new TypeError('rejected')],
    });
    expect(calls).toEqual(['last']);
    expect(bus.metrics().failures).toBe(2);
    expect(log.lines[0]).toMatchObject({
      level: 'error',
      message: 'A listener of event order.paid failed: thrown',
      fields: { event: 'order.paid', listener: 'first' },
    });
  });

  test('stop the dispatch when the emitter asks for it', async () => {
    const { bus, calls } = failing();
    expect(await bus.emit('order.paid', 1, 'stop')).toMatchObject({ called: 1, errors: [new RangeError('thrown')] });
    expect(calls).toEqual([]);
  });

  test('reach the emitter that asks for it, and are counted all the same', async () => {
    const { bus, calls } = failing();
    await expect(bus.emit('order.paid', 1, 'throw')).rejects.toThrow(new RangeError('thrown'));
    expect(calls).toEqual([]);
    expect(bus.metrics()).toMatchObject({ failures: 1, dispatches: 1 });
  });

  test('a rejection with undefined is an error as well', async () => {
    const bus = busOf();
    bus.on('order.paid', () => Promise.reject(undefined));
    const rejected = bus.emit('order.paid', 1, 'throw').then(
      () => 'resolved',
      (error: unknown) => ['rejected', error],
    );
    expect(await rejected).toEqual(['rejected', undefined]);
  });
});

describe('emitAsync', () => {
  test('calls listeners later and does not wait', async () => {
    const bus = busOf();
    const calls: number[] = [];
    bus.on('order.paid', (amount) => calls.push(amount));
    expect(bus.emitAsync('order.paid', 1)).toBe(true);
    await Promise.resolve();
    expect(calls).toEqual([]);
    await bus.idle();
    expect(calls).toEqual([1]);
  });

  test('runs a bounded number at a time, in the order of the events', async () => {
    const bus = busOf({ concurrency: 3 });
    const begun: number[] = [];
    const gates = Array.from({ length: 8 }, gate);
    bus.on('order.paid', (amount) => {
      begun.push(amount);
      return gates[amount]?.opened;
    });
    for (let amount = 0; amount < 8; amount++) bus.emitAsync('order.paid', amount);
    await tick();
    await tick();
    expect(begun).toEqual([0, 1, 2]);
    expect(bus.metrics()).toMatchObject({ running: 3, waiting: 5 });
    gates[1]?.open();
    await tick();
    await tick();
    expect(begun).toEqual([0, 1, 2, 3]);
    for (const each of gates) each.open();
    await bus.idle();
    expect(begun).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
    expect(bus.metrics()).toMatchObject({ running: 0, waiting: 0, dispatches: 8 });
  });

  test('drops what finds the queue full, says so and counts it', async () => {
    const bus = busOf({ queueCapacity: 2 });
    bus.on('order.paid', () => undefined);
    expect([1, 2, 3, 4].map((amount) => bus.emitAsync('order.paid', amount))).toEqual([true, true, false, false]);
    await bus.idle();
    expect(bus.metrics()).toMatchObject({ dropped: 2, dispatches: 2 });
    expect(bus.emitAsync('order.paid', 5)).toBe(true);
    await bus.idle();
  });

  test('is not stopped by listeners that fail', async () => {
    const bus = busOf({ concurrency: 1 });
    let calls = 0;
    bus.on('order.paid', async () => {
      calls++;
      throw new RangeError('no');
    });
    for (let i = 0; i < 5; i++) bus.emitAsync('order.paid', i);
    await bus.idle();
    expect(calls).toBe(5);
    expect(bus.metrics()).toMatchObject({ failures: 5, running: 0 });
  });

  test('counts what nobody listens to, also when the listener left meanwhile', async () => {
    const bus = busOf();
    expect(bus.emitAsync('order.paid', 1)).toBe(true);
    const end = bus.on('order.paid', () => undefined);
    bus.emitAsync('order.paid', 2);
    end();
    await bus.idle();
    expect(bus.metrics()).toMatchObject({ unheard: 2, dispatches: 0 });
  });

  test('does not keep I/O waiting while a listener emits the event again', async () => {
    const bus = busOf();
    let timerFired = false;
    let calls = 0;
    bus.on('order.paid', () => {
      calls++;
      if (calls < 2 || !timerFired) bus.emitAsync('order.paid', 1);
    });
    setTimeout(() => (timerFired = true), 1);
    bus.emitAsync('order.paid', 1);
    await bus.idle();
    expect(calls).toBeGreaterThan(1);
  });

  test('works through more events than its queue holds, when they do not come at once', async () => {
    const bus = busOf({ concurrency: 4, queueCapacity: 200 });
    let sum = 0;
    bus.on('order.paid', (amount) => void (sum += amount));
    for (let round = 0; round < 5; round++) {
      for (let i = 0; i < 200; i++) bus.emitAsync('order.paid', 1);
      await bus.idle();
    }
    expect(sum).toBe(1_000);
    expect(bus.metrics().dropped).toBe(0);
  });
});

describe('observing', () => {
  const clock = () => {
    let now = 0;
    return { now: () => 1_000 + now, monotonic: () => (now += 5) };
  };

  test('shows each dispatch once it has ended, without the payload', async () => {
    const bus = busOf({ clock: clock() });
    const seen: DispatchRecord[] = [];
    const end = bus.observe((dispatch) => seen.push(dispatch));
    bus.on('order.placed', () => {
      throw new RangeError('broken');
    });
    await bus.emit('order.placed', { id: 1 });
    bus.emitAsync('order.placed', { id: 2 });
    await bus.idle();
    end();
    await bus.emit('order.placed', { id: 3 });
    const record = { name: 'order.placed', durationMs: 5, called: 1, stopped: false, errors: ['broken'] };
    expect(seen).toEqual([
      { ...record, at: 1_000, async: false },
      { ...record, at: 1_010, async: true },
    ]);
    expect(bus.recent()).toHaveLength(3);
    expect(bus.recent().slice(1)).toEqual(seen.toReversed());
  });

  test('remembers the last dispatches only, newest first, with payloads when asked to', async () => {
    const bus = busOf({ recorded: 3, recordPayloads: true });
    bus.on('order.paid', () => undefined);
    for (let amount = 1; amount <= 2; amount++) await bus.emit('order.paid', amount);
    expect(bus.recent().map(({ payload }) => payload)).toEqual([2, 1]);
    for (let amount = 3; amount <= 5; amount++) await bus.emit('order.paid', amount);
    expect(bus.recent().map(({ payload }) => payload)).toEqual([5, 4, 3]);
    expect(bus.recorder).toMatchObject({ size: 3, dropped: 2 });
  });

  test('remembers nothing when told so', async () => {
    const bus = busOf({ recorded: 0 });
    bus.on('order.paid', () => undefined);
    await bus.emit('order.paid', 1);
    bus.observe(() => undefined);
    await bus.emit('order.paid', 1);
    expect(bus.recent()).toEqual([]);
  });

  test('contains the errors of observers', async () => {
    const log = new RecordingLogger();
    const bus = busOf({ log });
    const seen: string[] = [];
    bus.observe(() => {
      throw new RangeError('observer');
    });
    bus.observe(() => Promise.reject(new RangeError('async observer')));
    bus.observe(({ name }) => seen.push(name));
    bus.on('order.paid', () => undefined);
    expect(await bus.emit('order.paid', 1)).toMatchObject({ called: 1, errors: [] });
    expect(seen).toEqual(['order.paid']);
    expect(bus.metrics().observerFailures).toBe(2);
    expect(log.messages('error')).toEqual(Array(2).fill('An observer of event order.paid failed.'));
  });

  test('measures', async () => {
    const bus = busOf({ clock: clock() });
    bus.on('order.paid', () => undefined);
    bus.on('shop.closed', () => undefined);
    await bus.emit('order.paid', 1);
    await bus.emit('order.paid', 1);
    expect(bus.metrics()).toEqual({
      events: 2,
      listeners: 2,
      dispatches: 2,
      unheard: 0,
      calls: 2,
      failures: 0,
      stopped: 0,
      filtered: 0,
      dropped: 0,
      waiting: 0,
      running: 0,
      observerFailures: 0,
      totalMs: 10,
      maxMs: 5,
    });
  });
});
