export { NotPlain, NO_TYPES } from './not-plain.js';
export { PlainFacts } from './plain-facts.js';
export { PlainFiles } from './plain-files.js';
