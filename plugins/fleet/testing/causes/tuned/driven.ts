import type { Planted } from '../planted.js';

/** Failures of generated services under real traffic that were explained wrongly, or in misleading words. */
export const DRIVEN: readonly Planted[] = [
  {
    name: 'the failure is written down at another service, and thrown on',
    happened: `
      server web POST /order 0-60 500 ECONNREFUSED
        #c client stock:80 POST /take 3-9 - ECONNREFUSED
        client audit:80 POST /entries 12-40 200
          server audit POST /entries 15-38 200`,
    cause: 'c',
    says: 'failed with the same ECONNREFUSED',
  },
  {
    name: 'the lock is given back after the statement below it failed',
    happened: `
      server web POST /order 0-60 500 HTTP 500
        client orders:80 POST /order 2-58 500 HTTP 500
          server orders POST /order 4-56 500 42P01
            query postgresql SELECT lock 5-6 -
            #q query postgresql INSERT orders 7-12 - query failed: 42P01
            query postgresql SELECT unlock 14-16 -`,
    cause: 'q',
  },
  {
    name: 'two calls fail alike before the request goes on and fails with that',
    happened: `
      server web GET /home 0-90 500 ECONNREFUSED
        #a client ads:80 GET /pick 3-6 - ECONNREFUSED
        client user:80 GET /me 8-30 200
        #b client news:80 GET /top 32-36 - ECONNREFUSED
        client audit:80 POST /entries 40-60 200`,
    cause: 'unknown',
  },
  {
    name: 'a call is survived, and a later one of another kind fails',
    happened: `
      server web GET /home 0-90 500 TimeoutError
        client ads:80 GET /pick 3-6 - ECONNREFUSED
        client user:80 GET /me 8-30 200
        #t client news:80 GET /top 32-82 - TimeoutError`,
    cause: 't',
  },
  {
    name: 'the server of the database is down',
    happened: `
      server web GET /order 0-60 500 FW_ORM_CONNECTION
        #q query postgresql SELECT orders 3-9 - query failed: FW_ORM_CONNECTION (ECONNREFUSED)`,
    cause: 'q',
    says: 'is unreachable',
  },
  {
    name: 'the server of the database goes down under a statement',
    happened: `
      server web GET /order 0-60 503 FW_ORM_CONNECTION
        #q query postgresql SELECT orders 3-59 - query failed: FW_ORM_CONNECTION (57P01)`,
    cause: 'q',
    says: 'broke off',
  },
  {
    name: 'no connection of the pool comes free for a statement',
    happened: `
      server web GET /order 0-5060 503 FW_ORM_NO_CONNECTION
        #q query postgresql SELECT orders 3-5050 - query failed: FW_ORM_NO_CONNECTION`,
    cause: 'q',
    says: 'had no connection to postgresql left',
  },
  {
    name: 'a service of ours limits its callers, and has not taken long for it',
    happened: `
      server web GET /order 0-60 500
        client orders:80 GET /order 3-9 429 HTTP 429
          #o server orders GET /order 4-6 429`,
    cause: 'o',
    says: 'orders answered 429 at GET /order',
  },
  {
    name: 'all attempts fail alike in the code of the callee',
    happened: `
      server web GET /order 0-90 500
        client orders:80 GET /order 3-9 500 HTTP 500
          server orders GET /order 4-8 500 HTTP 500
            client stock:80 GET /stock 5-7 500 HTTP 500
              #s server stock GET /stock 5-7 500 HTTP 500
        client orders:80 GET /order 30-36 500 HTTP 500
          #again server orders GET /order 31-35 500 HTTP 500
            client stock:80 GET /stock 32-34 500 HTTP 500
              #below server stock GET /stock 32-34 500 HTTP 500`,
    cause: 's',
    derived: ['again', 'below'],
  },
];
