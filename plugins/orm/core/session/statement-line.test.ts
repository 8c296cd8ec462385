import { describe, expect, test } from '@jest/globals';
import { StatementLine } from './statement-line.js';

interface Step {
  readonly done: Promise<void>;
  finish(): void;
}

function step(): Step {
  let finish = () => {};
  const done = new Promise<void>((resolve) => (finish = resolve));
  return { done, finish };
}

const turnOfTheLoop = () => new Promise((resolve) => setImmediate(resolve));

describe('a statement that ends by itself while it is being cancelled', () => {
  test.each([
    ['a limit', (_line: StatementLine, abort: AbortController) => abort.abort()],
    ['its transaction', (line: StatementLine) => void line.interrupt(new RangeError('given up'))],
  ])('by %s keeps the connection until nothing is on its way any more', async (_by, giveUp) => {
    const [statement, cancelling] = [step(), step()];
    const abort = new AbortController();
    const line = new StatementLine();
    const seen: string[] = [];
    const call = line.run(
      () => statement.done,
      { signal: abort.signal },
      () => cancelling.done,
    );
    const ended = call.then(
      () => seen.push('done'),
      (error: { readonly code?: string }) => seen.push(String(error.code)),
    );
    giveUp(line, abort);
    const next = line.run(
      async () => void seen.push('next'),
      undefined,
      async () => undefined,
    );
    statement.finish();
    await turnOfTheLoop();
    const before = [...seen];
    cancelling.finish();
    await Promise.all([ended, next]);
    expect(before).not.toContain('next');
    expect(before).not.toContain('FW_ORM_ABORTED');
    expect(seen).toContain('next');
    expect(seen).toContain(abort.signal.aborted ? 'FW_ORM_ABORTED' : 'done');
  });
});

test('a statement that has ended is not cancelled, nor is the one behind it', async () => {
  const line = new StatementLine();
  const [second, cancelled] = [step(), [] as string[]];
  const cancels = (name: string) => async () => void cancelled.push(name);
  const first = line.hold(async () => 'first', cancels('first'));
  const next = line.run(() => second.done, undefined, cancels('second'));
  await first.running;
  await turnOfTheLoop();
  await first.cancel();
  expect(cancelled).toEqual([]);
  await Promise.all([line.interrupt(new RangeError('given up')), second.finish()]);
  expect(cancelled).toEqual(['second']);
  await next;
});

test('a call whose signal has fired before sends nothing, and leaves the line to others', async () => {
  const line = new StatementLine();
  const sent: string[] = [];
  const send = (name: string) => async () => void sent.push(name);
  const nothing = async () => undefined;
  const limits = { signal: AbortSignal.abort() };
  const aborted = { code: 'FW_ORM_ABORTED' };
  await expect(line.run(send('now'), limits, nothing)).rejects.toMatchObject(aborted);
  await expect(line.enter(limits)).rejects.toMatchObject(aborted);
  const first = line.run(send('first'), undefined, nothing);
  await expect(line.run(send('later'), limits, nothing)).rejects.toMatchObject(aborted);
  await first;
  await line.run(send('second'), undefined, nothing);
  expect(sent).toEqual(['first', 'second']);
});

test('a call that has spent a part of its time in the line says in the end how much it was given', async () => {
  const line = new StatementLine();
  const slow = step();
  const before = line.run(
    () => slow.done,
    undefined,
    async () => undefined,
  );
  const never = step();
  const late = line.run(
    () => never.done,
    { timeout: 60 },
    async () => undefined,
  );
  setTimeout(slow.finish, 20);
  await expect(late).rejects.toMatchObject({ code: 'FW_ORM_TIMEOUT', details: { timeout: 60 } });
  await before;
});
