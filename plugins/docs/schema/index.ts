export { membersOf, type Member } from '../../../kernel/index.js';
export { plainNode } from './plain-node.js';
export { INLINE_LEVELS, isObjectShape, ownName, pascalCase, typeName } from './type-name.js';
