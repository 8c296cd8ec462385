import { plugin, Type } from '../../../../dist/kernel/index.js';
import { served } from './application.mjs';

/**
 * Half of the routes have a path without parameters, the other half one with a parameter and a schema for it.
 *
 * @param {number} size
 */
export function open(size) {
  const docs = plugin(() => import('../../../../dist/plugins/docs/index.js'), { checkResponses: false });
  return served([docs], (router) => {
    for (let index = 0; index < size / 2; index++) {
      const params = Type.Object({ id: Type.Integer({ minimum: 1 }) });
      router.get(`/things${index}`, { title: `List things ${index}` }, () => ({ index }));
      router.get(`/things${index}/:id`, { title: `Read a thing ${index}`, input: { params } }, (ctx) => ({
        index,
        id: ctx.input.params.id,
      }));
    }
  });
}
