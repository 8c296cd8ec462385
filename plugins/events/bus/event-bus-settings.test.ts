import { describe, expect, test } from '@jest/globals';
import { DiagnosticsRegistry, EventBus, plugin } from '../../../kernel/index.js';
import { bootTestApp } from '../../../kernel/testing/index.js';

declare global {
  interface FwEvents {
    'test.settings': number;
  }
}

const boot = (options: object) =>
  bootTestApp({ plugins: [plugin(() => import('./index.js'), options as Record<string, never>)] });

async function settingsWith(options: object): Promise<unknown> {
  await using app = await boot(options);
  return app.services.get(DiagnosticsRegistry).get('events')?.detail;
}

describe('fw/events', () => {
  test('sets how the bus of the application works', async () => {
    expect(await settingsWith({ concurrency: 2, queueCapacity: 3, recorded: 0 })).toMatchObject({
      pool: { workers: 2, capacity: 3 },
      recorder: { enabled: false },
    });
  });

  test('drops what is more than may wait', async () => {
    await using app = await boot({ concurrency: 1, queueCapacity: 1 });
    const bus = app.services.get(EventBus);
    await bus.idle();
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    const started = new Promise<void>((resolve) => {
      bus.on('test.settings', () => (resolve(), held));
    });
    bus.emitAsync('test.settings', 1);
    await started;
    expect([2, 3].map((number) => bus.emitAsync('test.settings', number))).toEqual([true, false]);
    release();
  });

  test('leaves the defaults where nothing is said, and refuses what cannot be', async () => {
    expect(await settingsWith({})).toMatchObject({ pool: { workers: 16, capacity: 1_024 } });
    await expect(settingsWith({ concurrency: 0 })).rejects.toThrow(/concurrency/);
  });
});
