export { listen, type ListenAddress, type Listening } from './listen.js';
export { isLoopbackAddress, isLoopbackHostHeader, isLoopbackName } from './loopback.js';
