export { schemaOfExample } from './example-schema.js';
export { membersOf, type Member } from './members.js';
export { plainNode } from './plain-node.js';
export { isSchema, RefScope, type Resolved } from './ref-scope.js';
export { readShape, type ModelSchemas, type Shape } from './shape.js';
export { INLINE_LEVELS, isObjectShape, ownName, pascalCase, typeName } from './type-name.js';
