export { BACKLOG, listen, type Listening } from './listen.js';
export { LoginThrottle } from './login-throttle.js';
export { isLoopbackAddress, isLoopbackHost, isLoopbackHostHeader, isLoopbackName } from './loopback.js';
