export { RedisConnection, type RedisScripts } from './redis-connection.js';
