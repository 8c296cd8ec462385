import { createReadStream } from 'node:fs';
import { appendFile, mkdir, truncate } from 'node:fs/promises';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { checkTopic, copyPayload, EVENTS_ERRORS, fwError } from 'fw';

/** Keeps each topic's messages in a file of this process, a line each. A subscription reads on at its own pace, so that nothing waits in memory. */
export class JournalBackend {
  name = 'journal';
  replays = true;
  #folder;
  #log;
  #topics = new Map();
  #readers = new Set();
  #counts = { published: 0, delivered: 0, failed: 0 };
  #closing;

  constructor(folder, log) {
    this.#folder = folder;
    this.#log = log;
  }

  async publish(topic, payload, meta = {}) {
    this.#check(topic, 'published');
    const line = `${JSON.stringify({ meta, payload: Buffer.from(copyPayload(payload)).toString('base64') })}\n`;
    await this.#inTurn(topic, async (file) => {
      await appendFile(file.path, line).catch(async (error) => {
        // Half a line, where the disk is full: the next one must not go on behind it.
        await truncate(file.path, file.size);
        throw error;
      });
      file.size += Buffer.byteLength(line);
      file.messages += 1;
      this.#counts.published += 1;
    });
    for (const reader of this.#readers) if (reader.topic === topic) reader.wake();
  }

  async subscribe(topic, handler, { from = 'new' } = {}) {
    this.#check(topic, 'subscribed to');
    return this.#inTurn(topic, (file) => {
      const start = from === 'earliest' ? { offset: 0, read: 0 } : { offset: file.size, read: file.messages };
      const reader = { topic, file, handler, ended: false, wake: () => undefined, ...start };
      this.#readers.add(reader);
      reader.done = this.#read(reader).catch((error) => {
        this.#log.error({ topic, err: error }, `The journal of ${topic} cannot be read any further.`);
        this.#end(reader);
      });
      return async () => this.#end(reader);
    });
  }

  close() {
    return (this.#closing ??= this.#close());
  }

  stats() {
    const readers = [...this.#readers];
    const waiting = readers.reduce((total, { file, read }) => total + file.messages - read, 0);
    return { ...this.#counts, dropped: 0, subscriptions: readers.length, waiting };
  }

  async #close() {
    await Promise.allSettled(this.#topics.values());
    const readers = [...this.#readers];
    for (const { wake } of readers) wake();
    await Promise.all(readers.map(({ done }) => done));
    for (const reader of readers) this.#end(reader);
  }

  #end(reader) {
    reader.ended = true;
    this.#readers.delete(reader);
    reader.wake();
  }

  // Ends when the subscription does, or when the backend closes and nothing is left to read.
  async #read(reader) {
    while (!reader.ended) {
      for await (const line of linesOf(reader.file, reader.offset)) {
        if (reader.ended) return;
        reader.offset += Buffer.byteLength(line) + 1;
        reader.read += 1;
        await this.#hand(reader, JSON.parse(line));
      }
      if (reader.offset < reader.file.size) continue;
      if (this.#closing) return;
      await new Promise((wake) => (reader.wake = wake));
    }
  }

  async #hand({ topic, handler }, { payload, meta }) {
    try {
      await handler({ topic, payload: new Uint8Array(Buffer.from(payload, 'base64')), meta });
      this.#counts.delivered += 1;
    } catch (error) {
      this.#counts.failed += 1;
      this.#log.error({ topic, err: error }, `A subscriber of ${topic} failed.`);
    }
  }

  // One after the other for each topic: who subscribes misses no message, and gets none twice.
  #inTurn(topic, run) {
    const before = this.#topics.get(topic) ?? this.#open(topic);
    const result = before.then(run);
    const settled = result.then(
      () => before,
      () => before,
    );
    this.#topics.set(topic, settled);
    // A file that could not be opened is tried again by the next one; whoever asked for this one is told.
    settled.catch(() => this.#topics.delete(topic));
    return result;
  }

  async #open(topic) {
    const file = { path: path.join(this.#folder, `${topic}.jsonl`), size: 0, messages: 0 };
    await mkdir(this.#folder, { recursive: true });
    await appendFile(file.path, '');
    let length = 0;
    for await (const chunk of createReadStream(file.path)) {
      const last = chunk.lastIndexOf('\n');
      if (last >= 0) file.size = length + last + 1;
      length += chunk.length;
      file.messages += chunk.filter((byte) => byte === 10).length;
    }
    // A line without its end was being written when a process died: nobody was told that it is there.
    if (file.size < length) await truncate(file.path, file.size);
    return file;
  }

  #check(topic, what) {
    checkTopic(topic);
    if (this.#closing) throw fwError(EVENTS_ERRORS.FW_EVENTS_BACKEND_CLOSED, { backend: this.name, what, topic });
  }
}

// Up to what is known to be written: the rest of the file may be half a line.
function linesOf({ path: file, size }, offset) {
  if (offset >= size) return [];
  return createInterface({ input: createReadStream(file, { start: offset, end: size - 1 }), crlfDelay: Infinity });
}
