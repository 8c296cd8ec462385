import { describe, expect, test } from '@jest/globals';
import { EventBackend, EventBus } from '../contracts/events.js';
import { MemoryEventBackend } from '../events/index.js';
import { definePlugin, type RegisterContext, type StartContext } from '../plugin/index.js';
import { bootTestApp } from '../testing/boot-test-app.js';

const plugin = (id: string, rest: object) => definePlugin({ id, category: 'app', description: 'test', ...rest });
const bytes = new Uint8Array([1]);

describe('events of an application', () => {
  test('tell the plugins that it has started, and that it is about to stop before anything does', async () => {
    const heard: unknown[] = [];
    const listener = plugin('listener', {
      uses: [EventBus],
      start: (services: StartContext<object>) => {
        const bus = services.get(EventBus);
        bus.on('app.started', (payload) => heard.push(payload));
        bus.on('app.stopping', (payload) => heard.push(payload));
      },
      stop: () => void heard.push('stopped'),
    });
    const app = await bootTestApp({ name: 'shop', plugins: [listener] });
    await app.services.get(EventBus).idle();
    expect(heard).toEqual([{ name: 'shop', profile: 'test' }]);
    await app.stop();
    expect(heard).toEqual([{ name: 'shop', profile: 'test' }, { name: 'shop' }, 'stopped']);
  });

  test('carry messages in memory when no plugin brings a backend, and deliver what was published before a stop [EVENT-BACKEND-02]', async () => {
    const heard: number[] = [];
    const app = await bootTestApp({ plugins: [] });
    const backend = app.services.get(EventBackend);
    expect(backend.name).toBe('memory');
    await backend.subscribe('numbers', ({ payload }) => heard.push(...payload));
    await backend.publish('numbers', bytes);
    await app.stop();
    expect(heard).toEqual([1]);
    await expect(backend.publish('numbers', bytes)).rejects.toThrow(/backend is closed/);
  });

  test('go through the backend that a plugin brings, which starts before those that use it', async () => {
    class OtherBackend extends MemoryEventBackend {
      override readonly name = 'other' as never;
    }
    const started: string[] = [];
    const user = plugin('user', { uses: [EventBackend], start: () => void started.push('user') });
    const broker = plugin('broker', {
      provides: [EventBackend],
      register: ({ bind }: RegisterContext<object>) => bind(EventBackend, () => new OtherBackend()),
      start: () => void started.push('broker'),
    });
    const app = await bootTestApp({ plugins: [user, broker] });
    expect(app.services.get(EventBackend).name).toBe('other');
    expect(started).toEqual(['broker', 'user']);
    await app.stop();
  });

  test('have a probe, with the backend once it is used', async () => {
    const app = await bootTestApp({ plugins: [] });
    expect(app.diagnostics.get('events')).toMatchObject({ status: 'ok', detail: { recorder: { capacity: 256 } } });
    expect(app.diagnostics.get('events')?.detail).not.toHaveProperty('backend');
    await app.services.get(EventBackend).publish('numbers', bytes);
    expect(app.diagnostics.get('events')?.detail).toMatchObject({ backend: { name: 'memory', published: 1 } });
    await app.stop();
  });
});
