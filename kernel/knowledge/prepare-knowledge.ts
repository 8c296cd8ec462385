import { frameworkPages } from './framework-pages.js';
import { Knowledge } from './knowledge.js';

/** The module `#knowledge` of a build: the index over guides and reference, prepared so that a search need not build it. */
export default function prepareKnowledge(): string {
  // The index is text that is parsed on first use, so that importing the module stays cheap. Single quotes, so that the double quotes of
  // JSON need no escape.
  const text = Knowledge.of(frameworkPages()).written().replace(/[\\']/g, '\\$&');
  return `export const preparedKnowledge = '${text}';\n`;
}
