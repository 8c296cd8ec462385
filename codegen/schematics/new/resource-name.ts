import { camelCase, singular, snakeCase } from '../../../plugins/orm/core/index.js';

/** `order-lines` -> `OrderLine`: the name of a resource from that of its collection. */
export function pascalSingular(resource: string): string {
  const snake = snakeCase(resource.replace(/[^A-Za-z0-9]+/g, '_').replace(/^_+|_+$/g, ''));
  const words = snake.split('_');
  const one = [...words.slice(0, -1), singular(words.at(-1) ?? '')].join('_');
  const camel = camelCase(one);
  return camel.charAt(0).toUpperCase() + camel.slice(1);
}
