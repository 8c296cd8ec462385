export { RedisConnection, type RedisScripts } from './redis-connection.js';
export { RedisOption } from './redis-option.js';
