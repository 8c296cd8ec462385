import { frameworkPages } from './framework-pages.js';
import { Knowledge } from './knowledge.js';

/** The module `#knowledge` of a build: the index over guides and reference, so that nobody waits for it to be made. */
export default function prepareKnowledge(): string {
  // Text that is parsed when it is asked for, which is quicker than an object that every import would make. Between single quotes, so
  // that those of JSON need no escape.
  const text = Knowledge.of(frameworkPages()).written().replace(/[\\']/g, '\\$&');
  return `export const preparedKnowledge = '${text}';\n`;
}
