import type { Planted } from '../planted.js';

/** Planted failures of calls that are carried out by further calls: those of client libraries, and of proxies. */
export const CARRIED: readonly Planted[] = [
  {
    name: 'a library that is instrumented itself calls over HTTP, and nobody is there',
    happened: `
      server web GET /files 0-60 500
        client s3 GET object 2-55 - ECONNREFUSED
          #c client s3.example:443 GET / 4-50 - ECONNREFUSED`,
    cause: 'c',
  },
  {
    name: 'a library that is instrumented itself tries twice over HTTP, and its callee fails',
    happened: `
      server web GET /orders 0-100 500
        client orders LIST orders 2-98 - ApiError
          internal web RUN retry 3-97
            client orders:80 GET /orders 4-30 500
              #c server orders GET /orders 6-28 500 KeyError
            client orders:80 GET /orders 40-96 500
              server orders GET /orders 42-94 500 KeyError`,
    cause: 'c',
  },
  {
    name: 'a library that is instrumented itself gives up on a callee that waits for its database',
    happened: `
      server web GET /orders 0-1010 504
        client orders LIST orders 2-1002 - TimeoutError
          client orders:80 GET /orders 4-1002 - AbortError
            server orders GET /orders 6-3000 200
              #c query postgresql SELECT orders 10-2990`,
    cause: 'c',
  },
  {
    name: 'a library that is instrumented itself cannot read what its callee has answered well',
    happened: `
      server web GET /orders 0-100 500
        #c client orders LIST orders 2-98 - SyntaxError
          client orders:80 GET /orders 4-90 200
            server orders GET /orders 6-88 200`,
    cause: 'c',
  },
  {
    name: 'a proxy answers 504 for a service that is still at work',
    happened: `
      server web GET /orders 0-1010 504
        client orders:80 GET /orders 2-1002 504
          server orders GET /orders 6-3000 200
            #c query postgresql SELECT orders 10-2990`,
    cause: 'c',
  },
];
