import { once } from 'node:events';

/**
 * The next message of a process that was forked; an error when it ends before.
 *
 * @param {import('node:child_process').ChildProcess} child
 * @param {string} name - for the error
 * @returns {Promise<unknown>}
 */
export async function messageOf(child, name) {
  const heard = new AbortController();
  const { signal } = heard;
  const ended = once(child, 'exit', { signal }).then(([code]) =>
    Promise.reject(new Error(`${name} ended with ${code}`)),
  );
  // Once there is a message nobody waits for the end any more.
  ended.catch(() => {});
  const [message] = await Promise.race([once(child, 'message', { signal }), ended]);
  heard.abort();
  return message;
}
