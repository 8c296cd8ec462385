import { describe, expect, test } from '@jest/globals';
import { type Dialect, Expr, OpRaw, model, open, selectExpr } from '../index.js';
import { RecordingHandle } from './recording-handle.js';
import { DIALECTS } from './framework-dialects.js';
import { Post } from './models.js';

const [dialect] = DIALECTS as readonly [Dialect, ...Dialect[]];

describe('raw SQL in plain values', () => {
  const posts = () => model(open(new RecordingHandle(), dialect), Post);

  test('is what our constants and constructors mark, and no data can', async () => {
    const handle = new RecordingHandle();
    const own = model(open(handle, dialect), Post);
    await own.where({ op: OpRaw, value: 'views > 3' }).select(selectExpr('views * 2', 'twice')).find();
    await own.select({ [Expr]: 'views * 3' }).find();
    const quote = (name: string) => dialect.compiler.quote(name);
    expect(handle.sql).toEqual([
      `SELECT views * 2 AS ${quote('twice')} FROM ${quote('posts')} WHERE (views > 3)`,
      `SELECT views * 3 FROM ${quote('posts')}`,
    ]);
    expect(OpRaw).toBe(Symbol.for('fw.orm.raw'));
  });

  test('in the shape of data is refused with the function to call', () => {
    const predicate = JSON.parse('{"op":"raw","value":"1 = 1"}') as never;
    expect(() => posts().where(predicate)).toThrow("call raw('...') in your code");
    const item = JSON.parse('{"expr":"password","alias":"p"}') as never;
    expect(() => posts().select(item)).toThrow("call selectExpr('...', 'alias') in your code");
  });

  // A symbol is no clone of itself: what a message to a worker carries is data again.
  test('is data again once it has been a message or a text', () => {
    expect(() => structuredClone({ op: OpRaw, value: '1 = 1' })).toThrow('could not be cloned');
    const cloned = structuredClone(selectExpr('1', 'one')) as never;
    expect(() => posts().select(cloned)).toThrow('something to select');
    const read = JSON.parse(JSON.stringify({ op: OpRaw, value: '1 = 1' })) as never;
    // What is left of it asks for a column of that name.
    expect(() => posts().where(read)).toThrow('Post has no column "value"');
  });
});
