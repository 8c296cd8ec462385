export { answerTo, answerToRepeatable } from './answer-to.js';
export { exchange, type ExchangeResponse } from './exchange.js';
export { httpDate } from './http-date.js';
export { BACKLOG, type ListenAddress, expectAt, listen, type Listening } from './listen.js';
export { keptAgent } from './kept-agent.js';
export { LoginThrottle } from './login-throttle.js';
export { isLoopbackAddress, isLoopbackHost, isLoopbackHostHeader } from './loopback.js';
export { StalledClients } from './stalled-clients.js';
export { urlProblem } from './url-problem.js';
