export { isLoopbackAddress, isLoopbackHostHeader, isLoopbackName } from './loopback.js';
