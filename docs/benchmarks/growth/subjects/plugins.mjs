import { token, Type } from '../../../../dist/kernel/index.js';
import { given, served } from './application.mjs';

/**
 * Plugins with options and a service that takes that of the plugin before it.
 *
 * @param {number} size
 */
export function open(size) {
  /** @type {any[]} */
  const tokens = Array.from({ length: size }, (_, index) => token(`number-${index}`));
  const plugins = tokens.map((_, index) => numbered(tokens, index));
  return served(
    plugins,
    (router, services) => {
      const { number } = services.get(tokens[size - 1]);
      router.get('/numbers/:id', (ctx) => ({ id: ctx.params.id, number }));
    },
    [tokens[size - 1]],
  );
}

/** @type {(tokens: readonly any[], index: number) => unknown} */
function numbered(tokens, index) {
  const before = tokens[index - 1];
  return given({
    id: `number-${index}`,
    options: Type.Object({ step: Type.Optional(Type.Integer({ minimum: 1 })) }),
    provides: [tokens[index]],
    ...(before && { uses: [before] }),
    register({ bind, options }) {
      bind(tokens[index], ({ get }) => ({ number: before ? get(before).number + (options.step ?? 1) : 0 }));
    },
    start() {},
    stop() {},
  });
}
