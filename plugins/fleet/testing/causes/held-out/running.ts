import type { Planted } from '../planted.js';

/**
 * Failures that were planted in running services by somebody who had not read the rules, with the cause written down before; the shapes that
 * the other corpora lack. Of 36 such failures the rules named 30 at first, could not tell one, and were wrong about five, twice for certain.
 */
export const RUNNING: readonly Planted[] = [
  {
    name: 'a list of items is gone through although some fail, and the request gives up at the end because there were too many',
    happened: `
      server web GET /import 0-40 500 AggregateError
        client stock:80 GET /item/* 1-6 200
          server stock GET /item/:n 2-5 200
        client stock:80 GET /item/* 7-12 500 HTTP 500
          #b server stock GET /item/:n 8-11 500
        client stock:80 GET /item/* 13-18 200
          server stock GET /item/:n 14-17 200
        client stock:80 GET /item/* 19-24 500 HTTP 500
          server stock GET /item/:n 20-23 500
        client stock:80 GET /item/* 25-30 200
          server stock GET /item/:n 26-29 200`,
    cause: 'b',
  },
  {
    name: 'the same list, and the request says only that it failed',
    happened: `
      #w server web GET /import 0-40 500
        client stock:80 GET /item/* 1-6 200
          server stock GET /item/:n 2-5 200
        client stock:80 GET /item/* 7-12 500 HTTP 500
          server stock GET /item/:n 8-11 500
        client stock:80 GET /item/* 13-18 200
          server stock GET /item/:n 14-17 200`,
    cause: 'unknown',
  },
  {
    name: 'a partner redirects to himself until the client has enough of it',
    happened: `
      server web GET /rates 0-60 500 HTTP 500
        client pay:80 GET /rates 1-58 500 HTTP 500
          server pay GET /rates 2-57 500 TypeError
            #r client partner:443 GET /x 3-7 302
${Array.from({ length: 20 }, (_, at) => `            client partner:443 GET /x ${8 + at * 2}-${9 + at * 2} 302`).join('\n')}`,
    cause: 'r',
    says: 'redirected again and again at GET /x',
  },
  {
    name: 'two calls share a deadline; the first takes nearly all of it, and the second is cut though it is as quick as ever',
    happened: `
      server web GET /page 0-503 500 TimeoutError
        client stock:80 GET /slow 1-452 200
          #s server stock GET /slow 2-451 200
        client orders:80 GET /usual 453-502 - TimeoutError
          #o server orders GET /usual 455-575 200`,
    cause: ['s', 'o', 'unknown'],
    says: 'after web at GET /slow had taken 451 ms',
  },
  {
    name: 'a unique key is violated below, and a caller that does not expect the 409 answers 502',
    happened: `
      server web POST /signup 0-120 502
        client users:80 POST /users 20-112 409
          server users POST /users 37-68 409
            #q query postgres INSERT users 39-52 - FW_ORM_CONSTRAINT`,
    cause: 'q',
  },
  {
    name: 'a stranger breaks off in the middle of a body that began with 200',
    happened: `
      server web GET /quote 0-90 500
        client pay:80 GET /quote 2-88 500 HTTP 500
          server pay GET /quote 4-85 500 UND_ERR_SOCKET
            #c client partner:443 GET /fx 6-80 200 UND_ERR_SOCKET`,
    cause: 'c',
  },
  {
    name: 'a hedged call: the second copy fails, and the first one is called off for that',
    happened: `
      server web GET /search 0-75 500
        client index:80 GET /find 2-72 - AbortError
          server index GET /find 3-603 200
        client index-2:80 GET /find 62-71 500 HTTP 500
          #f server index-2 GET /find 64-70 500`,
    cause: 'f',
  },
  {
    name: 'the third page of a listing fails',
    happened: `
      server web GET /all 0-40 500
        client stock:80 GET /page 1-8 200
          server stock GET /page 2-7 200
        client stock:80 GET /page 9-16 200
          server stock GET /page 10-15 200
        client stock:80 GET /page 17-24 500 HTTP 500
          #p server stock GET /page 18-23 500`,
    cause: 'p',
  },
  {
    name: 'a service is called back by the one that it calls, and the call from there fails',
    happened: `
      server web GET /order 0-60 500
        client orders:80 GET /order 2-58 500 HTTP 500
          server orders GET /order 4-56 500
            client web:80 GET /callback 6-54 500 HTTP 500
              server web GET /callback 8-52 500
                client pay:80 POST /pay 10-50 500 HTTP 500
                  #p server pay POST /pay 12-48 500`,
    cause: 'p',
  },
  {
    name: 'the answer was fine, and what the request left running fails later',
    happened: `
      server web GET /welcome 0-5 200
        client mail:80 GET /send 55-70 500 HTTP 500
          #m server mail GET /send 57-68 500`,
    cause: 'm',
  },
  {
    name: 'a proxy without spans hands the trace on, and makes 502 of the 500 behind it',
    happened: `
      server web GET /inner 0-50 502
        client proxy:80 GET /inner 2-48 502 HTTP 502
          #o server orders GET /inner 10-40 500`,
    cause: 'o',
  },
  {
    name: 'a service speaks TLS to a port that does not',
    happened: `
      server web GET /stock 0-60 500
        client stock:80 GET /stock 2-58 500 HTTP 500
          server stock GET /stock 4-56 500 ERR_SSL_WRONG_VERSION_NUMBER
            #t client depot:443 GET /x 6-46 - ERR_SSL_WRONG_VERSION_NUMBER`,
    cause: 't',
  },
  {
    name: 'a lock within the process is held by another request for longer than the caller waits',
    happened: `
      server web GET /take 0-305 504
        client orders:80 GET /take 2-303 - TimeoutError
          #o server orders GET /take 4-1150 200`,
    cause: 'o',
  },
];
