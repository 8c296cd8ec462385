export { isInside } from './is-inside.js';
export { isObject, objectOf, parsedJson } from './json.js';
export { byText, grouped, leastBy, mostBy } from './lists.js';
export { withoutEnd } from './without-end.js';
