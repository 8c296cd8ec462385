export { listen, type Listening } from './listen.js';
export { LoginThrottle } from './login-throttle.js';
export { isLoopbackAddress, isLoopbackHostHeader, isLoopbackName } from './loopback.js';
