import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { type EventBackend, type EventMessage, MESSAGE_KEY } from '../../contracts/events.js';

/** Options of the suite for one implementation. */
export interface EventBackendContractOptions {
  /** Milliseconds that a test may take, default 20 000. */
  readonly timeoutMs?: number;
}

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const textOf = (message: EventMessage): string => new TextDecoder().decode(message.payload);

/** Collects messages, and lets a test wait for a number of them. */
class Inbox {
  readonly messages: EventMessage[] = [];
  readonly #waiting: { readonly count: number; readonly done: () => void }[] = [];

  readonly take = (message: EventMessage): void => {
    this.messages.push(message);
    for (const { count, done } of this.#waiting) if (this.messages.length >= count) done();
  };

  get texts(): readonly string[] {
    return this.messages.map(textOf);
  }

  async has(count: number): Promise<readonly string[]> {
    if (this.messages.length < count) await new Promise<void>((done) => this.#waiting.push({ count, done }));
    return this.texts;
  }
}

/**
 * Tests that every event backend has to pass (SPEC "Events", 2). The test file of an implementation is one call.
 *
 * @param name - of the implementation
 * @param makeBackend - a fresh one, ready to be used; the suite closes it
 */
export function eventBackendContract(
  name: string,
  makeBackend: () => EventBackend | Promise<EventBackend>,
  { timeoutMs = 20_000 }: EventBackendContractOptions = {},
): void {
  describe(`the ${name} event backend`, () => {
    let backend: EventBackend;
    let topic: string;

    beforeEach(async () => {
      backend = await makeBackend();
      // A broker may keep the messages of an earlier run.
      topic = `contract.${randomBytes(8).toString('hex')}`;
    }, timeoutMs);
    afterEach(() => backend.close(), timeoutMs);

    const check = (title: string, body: () => Promise<void>): void => test(title, body, timeoutMs);
    const refused = (code: string) => expect.objectContaining({ code });

    check('delivers the topic, the bytes and the meta of a message', async () => {
      const inbox = new Inbox();
      await backend.subscribe(topic, inbox.take);
      await backend.publish(topic, new Uint8Array([0, 255, 128, 10]), { 'x-fw-service': 'shop', empty: '' });
      await inbox.has(1);
      const [message] = inbox.messages;
      expect(message).toMatchObject({ topic, meta: { 'x-fw-service': 'shop', empty: '' } });
      expect([...(message as EventMessage).payload]).toEqual([0, 255, 128, 10]);
    });

    check('delivers an empty payload without meta', async () => {
      const inbox = new Inbox();
      await backend.subscribe(topic, inbox.take);
      await backend.publish(topic, new Uint8Array());
      expect(await inbox.has(1)).toEqual(['']);
    });

    check('calls handlers after publish has returned, never within it', async () => {
      const inbox = new Inbox();
      await backend.subscribe(topic, inbox.take);
      const published = backend.publish(topic, bytes('later'));
      expect(inbox.messages).toHaveLength(0);
      await published;
      expect(await inbox.has(1)).toEqual(['later']);
    });

    check('copies the payload, so that the publisher may use its buffer again at once', async () => {
      const inbox = new Inbox();
      await backend.subscribe(topic, inbox.take);
      const shared = Buffer.from('before');
      const meta = { note: 'before' };
      const published = backend.publish(topic, shared.subarray(0, 6), meta);
      shared.write('after!');
      meta.note = 'after';
      await published;
      expect(await inbox.has(1)).toEqual(['before']);
      expect(inbox.messages[0]?.meta['note']).toBe('before');
    });

    check('hands every message to every subscription, also of the same handler', async () => {
      const [one, both] = [new Inbox(), new Inbox()];
      await backend.subscribe(topic, one.take);
      await backend.subscribe(topic, both.take);
      await backend.subscribe(topic, both.take);
      await backend.publish(topic, bytes('x'));
      expect(await one.has(1)).toEqual(['x']);
      expect(await both.has(2)).toEqual(['x', 'x']);
    });

    check('keeps topics apart', async () => {
      const [inbox, other] = [new Inbox(), new Inbox()];
      await backend.subscribe(topic, inbox.take);
      await backend.subscribe(`${topic}.other`, other.take);
      await backend.publish(`${topic}.other`, bytes('theirs'));
      await backend.publish(topic, bytes('mine'));
      await other.has(1);
      expect(await inbox.has(1)).toEqual(['mine']);
      expect(other.texts).toEqual(['theirs']);
    });

    check('keeps the order of messages with the same key, and hands over one at a time', async () => {
      const inbox = new Inbox();
      let running = 0;
      let most = 0;
      await backend.subscribe(topic, async (message) => {
        most = Math.max(most, ++running);
        await new Promise(setImmediate);
        running--;
        inbox.take(message);
      });
      const sent = Array.from({ length: 50 }, (_, index) => String(index));
      for (const text of sent) await backend.publish(topic, bytes(text), { [MESSAGE_KEY]: 'same' });
      expect(await inbox.has(sent.length)).toEqual(sent);
      expect(most).toBe(1);
    });

    check('goes on after a handler that throws or whose promise is rejected', async () => {
      const inbox = new Inbox();
      await backend.subscribe(topic, (message) => {
        inbox.take(message);
        if (textOf(message) === 'throws') throw new RangeError('handler');
        return textOf(message) === 'rejects' ? Promise.reject(new RangeError('handler')) : undefined;
      });
      const meta = { [MESSAGE_KEY]: 'same' };
      for (const text of ['throws', 'rejects', 'fine']) await backend.publish(topic, bytes(text), meta);
      expect(await inbox.has(3)).toEqual(['throws', 'rejects', 'fine']);
      await backend.close();
      expect(backend.stats()).toMatchObject({ published: 3, delivered: 1, failed: 2 });
    });

    check('takes a message that nobody listens to', async () => {
      await backend.publish(topic, bytes('into the void'));
      expect(backend.stats()).toMatchObject({ published: 1, delivered: 0 });
    });

    check('ends a subscription: no further call begins, and the others go on', async () => {
      const [inbox, witness] = [new Inbox(), new Inbox()];
      const cancel = await backend.subscribe(topic, inbox.take);
      await backend.subscribe(topic, witness.take);
      await backend.publish(topic, bytes('first'), { [MESSAGE_KEY]: 'same' });
      await inbox.has(1);
      await cancel();
      await cancel();
      await backend.publish(topic, bytes('second'), { [MESSAGE_KEY]: 'same' });
      expect(await witness.has(2)).toEqual(['first', 'second']);
      expect(inbox.texts).toEqual(['first']);
      expect(backend.stats().subscriptions).toBe(1);
    });

    check('can end a subscription from its own handler', async () => {
      const [inbox, witness] = [new Inbox(), new Inbox()];
      const cancel = await backend.subscribe(topic, async (message) => {
        await cancel();
        inbox.take(message);
      });
      await backend.subscribe(topic, witness.take);
      for (const text of ['first', 'second']) await backend.publish(topic, bytes(text), { [MESSAGE_KEY]: 'same' });
      await witness.has(2);
      expect(await inbox.has(1)).toEqual(['first']);
    });

    check('hands over what it has taken before it is closed, and nothing after', async () => {
      const inbox = new Inbox();
      await backend.subscribe(topic, async (message) => {
        await new Promise(setImmediate);
        inbox.take(message);
      });
      await backend.publish(topic, bytes('first'));
      await inbox.has(1);
      await backend.publish(topic, bytes('last'));
      if (!backend.replays) {
        await backend.close();
        expect(inbox.texts).toEqual(['first', 'last']);
      } else await inbox.has(2).then(() => backend.close());
      expect(backend.stats()).toMatchObject({ subscriptions: 0, waiting: 0 });
    });

    check('may be closed twice, at once and again', async () => {
      await Promise.all([backend.close(), backend.close()]);
      await backend.close();
    });

    check('refuses to publish and to subscribe once it is closed', async () => {
      const cancel = await backend.subscribe(topic, () => undefined);
      await backend.close();
      await expect(backend.publish(topic, bytes('x'))).rejects.toEqual(refused('FW_EVENTS_BACKEND_CLOSED'));
      await expect(backend.subscribe(topic, () => undefined)).rejects.toEqual(refused('FW_EVENTS_BACKEND_CLOSED'));
      await cancel();
    });

    test.each(['', ' ', 'a b', 'a..b', '.a', 'a.', 'a*', 'a/b', 'ä', 'x'.repeat(250), undefined as unknown as string])(
      'refuses the topic %j, to publish on and to subscribe to',
      async (bad) => {
        await expect(backend.publish(bad, bytes('x'))).rejects.toEqual(refused('FW_EVENTS_TOPIC'));
        await expect(backend.subscribe(bad, () => undefined)).rejects.toEqual(refused('FW_EVENTS_TOPIC'));
      },
      timeoutMs,
    );

    check('refuses a payload that is not bytes', async () => {
      for (const bad of ['text', { a: 1 }, [1], undefined, null] as unknown as Uint8Array[]) {
        await expect(backend.publish(topic, bad)).rejects.toEqual(refused('FW_EVENTS_PAYLOAD'));
      }
    });

    check('reads earlier messages again, or says that it keeps none', async () => {
      const inbox = new Inbox();
      await backend.publish(topic, bytes('earlier'));
      const replaying = backend.subscribe(topic, inbox.take, { from: 'earliest' });
      if (!backend.replays) return expect(replaying).rejects.toEqual(refused('FW_EVENTS_NO_REPLAY'));
      await replaying;
      expect(await inbox.has(1)).toEqual(['earlier']);
    });
  });
}
