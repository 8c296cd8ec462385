export { isSameText, KnownSecret, newSecret } from './known-secret.js';
export { isSecretMember, isSecretName } from './secret-name.js';
export { QUOTED, replaceAssigned, replaceSecretValues, SCHEME } from './secret-text.js';
