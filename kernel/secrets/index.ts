export { isSameText, KnownSecret, newSecret } from './known-secret.js';
