import { threadId } from 'node:worker_threads';
import type { BlockingRequest, Router } from '../../../../kernel/index.js';
import { shout } from './shout.js';

/** Registers a handler that is defined in the same source. */
export function register(router: Router): void {
  router.handleBlocking('GET', '/own', { module: import.meta.url, export: 'report' });
  router.handleBlocking('GET', '/beside', { module: new URL('./shout.js', import.meta.url), export: 'beside' });
  router.handleBlocking('GET', '/nowhere', { module: new URL('./nowhere.js', import.meta.url), export: 'beside' });
}

/** Runs in the thread, with types and imports of the source. */
export function report({ query }: BlockingRequest): { readonly said: string; readonly isThread: boolean } {
  return { said: shout(String(query['text'])), isThread: threadId !== 0 };
}
