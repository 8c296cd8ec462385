import { EventEmitter } from 'node:events';
import { expect, test } from '@jest/globals';
import type { WebSocketConnection } from '../../../kernel/index.js';
import { until } from '../../../kernel/testing/until.js';
import type { LiveBatch, LiveMessage } from '../wire/live.js';
import { LiveHub } from './live-hub.js';

/** A connection that remembers what it was sent. */
class Viewer extends EventEmitter {
  readonly sent: LiveMessage[] = [];
  bufferedAmount = 0;

  send(text: string): void {
    this.sent.push(JSON.parse(text) as LiveMessage);
  }

  get batches(): readonly LiveBatch[] {
    return this.sent.filter((message) => message.type === 'batch');
  }
}

test('a viewer that was slow is told how many events it missed, whatever came in between', async () => {
  const hub = new LiveHub(
    () => undefined,
    () => 0,
  );
  const [slow, quick] = [new Viewer(), new Viewer()];
  for (const viewer of [slow, quick]) {
    hub.serve(viewer as unknown as WebSocketConnection);
    viewer.emit('message', JSON.stringify({ channels: ['a'] }));
  }
  slow.bufferedAmount = 2 ** 21;
  hub.publish('a', 1);
  hub.publish('a', 2);
  await until(() => quick.batches.length === 1, 'batch');
  hub.broadcast({ type: 'snapshot' } as LiveMessage);
  slow.bufferedAmount = 0;
  hub.broadcast({ type: 'snapshot' } as LiveMessage);
  hub.publish('a', 3);
  await until(() => quick.batches.length === 2, 'second batch');
  expect(slow.batches).toMatchObject([{ events: [{ data: 3 }], dropped: 2 }]);
  expect(quick.batches.map(({ dropped }) => dropped)).toEqual([0, 0]);
});
