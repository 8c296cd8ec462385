import { expect, test } from '@jest/globals';
import { EventEmitter } from 'node:events';
import { WatchedClient } from '../dialect/index.js';
import { MysqlConnection, type MysqlClient } from './mysql-connection.js';

/** A client of the driver whose statements fail. */
class FailingClient extends EventEmitter {
  execute(): EventEmitter {
    const command = Object.assign(new EventEmitter(), { options: {}, buildParserFromFields: () => undefined });
    setImmediate(() => command.emit('error', new Error('refused')));
    return command;
  }
  pause(): void {}
  resume(): void {}
}

test('a stream that fails leaves no listener on its connection', async () => {
  const client = new FailingClient();
  const watched = new WatchedClient(client, () => undefined as never) as unknown as MysqlClient;
  const connection = new MysqlConnection(watched, 10, () => Promise.resolve(), 100);
  const before = client.listenerCount('error');
  const reading = (async () => {
    for await (const _ of connection.stream('SELECT 1', [], { batchSize: 1 }));
  })();
  await expect(reading).rejects.toMatchObject({ code: 'FW_ORM_DATABASE' });
  expect(client.listenerCount('error')).toBe(before);
});
