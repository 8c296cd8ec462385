import type { Planted } from '../planted.js';
import { CARRIED } from './carried.js';
import { DRIVEN } from './driven.js';
import { SYSTEM } from './system.js';

/** Planted failures that the rules of the root cause were made with. */
export const TUNED: readonly Planted[] = [
  {
    name: 'a dead callee, two services deep',
    happened: `
      server web GET /checkout 0-60 502
        client cart:80 POST /checkout 3-55 502 HTTP 502
          server cart POST /checkout 5-52 502
            query postgresql SELECT items 6-12 -
            #c client tax:80 GET /rates 14-18 - ECONNREFUSED`,
    cause: 'c',
  },
  {
    name: 'a callee that does not answer the connection',
    happened: `
      server web GET /checkout 0-10060 504
        #c client tax:80 GET /rates 14-10018 - UND_ERR_CONNECT_TIMEOUT`,
    cause: 'c',
  },
  {
    name: 'the container of the callee is killed under two requests of one page',
    happened: `
      server web GET /page 0-90 500
        #c client cms:80 GET /head 5-60 - UND_ERR_SOCKET
        #d client cms:80 GET /body 5-60 - UND_ERR_SOCKET`,
    cause: ['c', 'd'],
  },
  {
    name: 'a write is retried on a serialization failure until the tries are used up',
    happened: `
      server bank POST /transfer 0-200 500
        #q query postgresql UPDATE accounts 10-20 - query failed: 40001
        query postgresql ROLLBACK 20-22 -
        query postgresql UPDATE accounts 40-50 - query failed: 40001
        query postgresql ROLLBACK 50-52 -
        query postgresql UPDATE accounts 100-120 - query failed: 40001
        query postgresql ROLLBACK 120-122 -`,
    cause: 'q',
  },
  {
    name: 'a transaction is rolled back after its statement failed',
    happened: `
      server bank POST /transfer 0-60 500
        query postgresql BEGIN 2-3 -
        query postgresql UPDATE a 4-10 -
        #q query postgresql UPDATE b 11-20 - query failed: 23503
        query postgresql ROLLBACK 21-23 -`,
    cause: 'q',
  },
  {
    name: 'the failure is noted in a message before it is answered',
    happened: `
      server bank POST /transfer 0-60 500
        #c client ledger:80 POST /entries 5-30 500 HTTP 500
        producer kafka SEND failures 31-35 -`,
    cause: 'c',
  },
  {
    name: 'a cache is away, the request goes on without it, and its own code fails',
    happened: `
      #s server web GET /home 0-60 500
        query redis GET session 2-4 - query failed: ECONNREFUSED
        query postgresql SELECT session 5-20 -
        query postgresql SELECT home 21-40 -`,
    cause: ['s', 'unknown'],
  },
  {
    name: 'a cache is away and is survived',
    happened: `
      server web GET /home 0-60 200
        #q query redis GET session 2-4 - query failed: ECONNREFUSED
        query postgresql SELECT session 5-20 -`,
    cause: 'q',
  },
  {
    name: 'a cache is away, then the database fails for its own reason',
    happened: `
      server web GET /home 0-80 500
        query redis GET session 2-4 - query failed: ECONNREFUSED
        query postgresql SELECT session 5-20 -
        #q query postgresql SELECT home 21-60 - query failed: 42703`,
    cause: 'q',
  },
  {
    name: 'the second of three attempts helps, a later write fails',
    happened: `
      server web POST /pay 0-90 500
        client bank:80 POST /pay 2-10 - ECONNRESET
        client bank:80 POST /pay 12-30 200
        #q query postgresql INSERT receipts 32-50 - query failed: 53100`,
    cause: 'q',
  },
  {
    name: 'first and second choice are dead',
    happened: `
      server web GET /search 0-90 503
        #a client search-a:80 GET /q 2-5 - ECONNREFUSED
        client search-b:80 GET /q 6-9 - ECONNREFUSED`,
    cause: 'a',
  },
  {
    name: 'a hedged request: both fail at the same callee',
    happened: `
      server web GET /search 0-90 503
        client search:80 GET /q 2-60 500 HTTP 500
          #a server search GET /q 4-58 500 HTTP 500
        client search:80 GET /q 22-70 500 HTTP 500
          #b server search GET /q 24-68 500 HTTP 500`,
    cause: ['a', 'b'],
  },
  {
    name: 'the middle gives up on a slow statement before its own caller does',
    happened: `
      server a GET /a 0-1600 502
        client b:80 GET /b 5-1590 500 HTTP 500
          server b GET /b 8-1585 500 HTTP 500
            #q query postgresql SELECT b 10-1510 - query failed: TimeoutError`,
    cause: 'q',
  },
  {
    name: 'a race against a timer, without cutting the call',
    happened: `
      server a GET /a 0-500 504
        client b:80 GET /b 5-3005 200
          server b GET /b 8-3000 200
            #q query mysql SELECT b 10-2990 -`,
    cause: 'q',
  },
  {
    name: 'a queue of many statements is under way at the deadline',
    happened: `
      server a GET /a 0-1010 504
        client b:80 GET /b 5-1005 - TimeoutError
          server b GET /b 8-1500 200
            #q query postgresql SELECT row 10-260 -
            query postgresql SELECT row 270-520 -
            query postgresql SELECT row 530-780 -
            query postgresql SELECT row 790-1040 -
            query postgresql SELECT row 1050-1300 -`,
    cause: 'q',
  },
  {
    name: 'the callee computes between two quick statements while its caller times out',
    happened: `
      server a GET /a 0-1010 504
        client b:80 GET /b 5-1005 - TimeoutError
          #s server b GET /b 8-2000 200
            query postgresql SELECT one 10-30 -
            query postgresql SELECT two 1900-1920 -`,
    cause: 's',
  },
  {
    name: 'a timeout that reaches through three services',
    happened: `
      server a GET /a 0-1010 504
        client b:80 GET /b 5-1005 - TimeoutError
          server b GET /b 8-1400 0
            client c:80 GET /c 10-1390 - AbortError
              server c GET /c 12-4000 200
                #x client far.example GET /x 20-3990 200`,
    cause: 'x',
  },
  {
    name: 'a timeout whose callee had failed before, and tried again',
    happened: `
      server a GET /a 0-1010 504
        client b:80 GET /b 5-1005 - TimeoutError
          server b GET /b 8-2000 200
            client c:80 GET /c 10-200 500 HTTP 500
              server c GET /c 12-198 500 HTTP 500
            client c:80 GET /c 300-1900 200
              #s server c GET /c 302-1890 200`,
    cause: 's',
  },
  {
    name: 'a timeout at a callee that answered in time, so that the answer was lost',
    happened: `
      server a GET /a 0-1010 504
        #c client b:80 GET /b 5-1005 - TimeoutError
          server b GET /b 8-100 200`,
    cause: ['c', 'unknown'],
  },
  {
    name: 'the caller of the caller hangs up, and everything below is cut',
    happened: `
      server a GET /a 0-100 0
        client b:80 GET /b 5-100 - AbortError
          server b GET /b 8-102 499
            client c:80 GET /c 10-101 - AbortError
              server c GET /c 12-103 0`,
    cause: 'none',
  },
  {
    name: 'a fan-out of three with one dead member',
    happened: `
      server a GET /a 0-60 500
        client b:80 GET /b 5-50 200
          server b GET /b 8-48 200
        #c client c:80 GET /c 5-8 - ECONNREFUSED
        client d:80 GET /d 5-9 - AbortError
          server d GET /d 8-10 0`,
    cause: 'c',
  },
  {
    name: 'a fan-out over items, one of them breaks',
    happened: `
      server a GET /items 0-100 500
        client b:80 GET /item/* 5-20 200
          server b GET /item/:id 6-18 200
        client b:80 GET /item/* 5-30 500 HTTP 500
          #s server b GET /item/:id 6-28 500 HTTP 500
        client b:80 GET /item/* 5-40 200
          server b GET /item/:id 6-38 200`,
    cause: 's',
  },
  {
    name: 'a fan-out, two members fail for reasons of their own, a third is survived earlier',
    happened: `
      server a GET /page 0-100 500
        client ads:80 GET /ads 2-6 - ECONNREFUSED
        client user:80 GET /user 10-20 200
          server user GET /user 11-19 200
        client b:80 GET /b 25-60 500 HTTP 500
          #b server b GET /b 28-58 500 HTTP 500
        client c:80 GET /c 25-80 - ECONNRESET
          #c server c GET /c 28-78 500 HTTP 500`,
    cause: 'b',
    independent: ['c'],
  },
  {
    name: 'two services fail at one dead cache',
    happened: `
      server a GET /page 0-100 500
        client b:80 GET /b 5-60 500 HTTP 500
          server b GET /b 8-58 500 HTTP 500
            #q query redis GET b 10-50 - query failed: ECONNREFUSED
        client c:80 GET /c 5-80 500 HTTP 500
          server c GET /c 8-78 500 HTTP 500
            #r query redis GET c 10-70 - query failed: ECONNREFUSED`,
    cause: 'q',
    derived: ['r'],
  },
  {
    name: 'two tops without a parent, each with a failure of its own',
    happened: `
      ~server a GET /a 0-100 200
        client b:80 GET /b 5-20 500 HTTP 500
          #b server b GET /b 8-18 500 HTTP 500
        client c:80 GET /c 25-80 500 HTTP 500
          #c server c GET /c 28-78 500 HTTP 500`,
    cause: 'b',
    independent: ['c'],
  },
  {
    name: 'an orphan that nobody has called in sight',
    happened: `
      ~server lost GET /x 0-100 200
        #s server b GET /b 5-20 500 HTTP 500`,
    cause: 's',
  },
  {
    name: 'the middle of five is missing',
    happened: `
      server a GET /1 0-100 500
        client b:80 GET /2 2-98 500 HTTP 500
          server b GET /2 4-96 500 HTTP 500
            client c:80 GET /3 6-94 500 HTTP 500
              ~server c GET /3 8-92 500 HTTP 500
                ~client d:80 GET /4 10-90 500 HTTP 500
                  server d GET /4 12-88 500 HTTP 500
                    #q query sqlite SELECT d 14-80 - query failed: SQLITE_CORRUPT`,
    cause: 'q',
  },
  {
    name: 'not sampled: the whole chain failed',
    happened: `
      server a GET /a 0-100 500 HTTP 500
        query postgresql SELECT fine 2-4 -
        client b:80 GET /b 5-95 500 HTTP 500
          server b GET /b 8-92 500 HTTP 500
            #q query postgresql SELECT b 10-90 - query failed: 08006`,
    sampled: false,
    cause: 'q',
  },
  {
    name: 'not sampled: the entry survived, a consumer failed',
    happened: `
      server a POST /a 0-100 202
        producer nats SEND jobs 5-8 -
          #m consumer w PROCESS jobs 150-260 - RangeError`,
    sampled: false,
    cause: 'm',
  },
  {
    name: 'a clock an hour ahead at the cause',
    happened: `
      server a GET /a 0-100 500
        client b:80 GET /b 5-95 500 HTTP 500
          #s server b GET /b 8-92 500 HTTP 500`,
    skew: { b: 3_600_000 },
    cause: 's',
  },
  {
    name: 'a clock behind, a timeout, and three statements one after another',
    happened: `
      server a GET /a 0-510 504
        client b:80 GET /b 5-505 - TimeoutError
          server b GET /b 8-900 200
            query postgresql SELECT one 10-60 -
            #q query postgresql SELECT two 70-700 -
            query postgresql SELECT three 710-890 -`,
    skew: { b: -40_000 },
    cause: 'q',
  },
  {
    name: 'two services with wrong clocks in one chain',
    happened: `
      server a GET /a 0-100 500
        client b:80 GET /b 5-95 500 HTTP 500
          server b GET /b 8-92 500 HTTP 500
            client c:80 GET /c 10-40 200
              server c GET /c 12-38 200
            client d:80 GET /d 50-80 500 HTTP 500
              #s server d GET /d 52-78 500 HTTP 500`,
    skew: { b: 700, d: -900 },
    cause: 's',
  },
  {
    name: 'servers alone: a slow one lets the one above fail',
    happened: `
      server a GET /a 0-1000 504
        #s server b GET /b 8-3000 200`,
    cause: 's',
  },
  {
    name: 'servers alone: an attempt fails, the next one helps, another service fails',
    happened: `
      server a GET /a 0-100 500
        server b GET /b 8-20 503
        server b GET /b 25-40 200
        #s server c GET /c 45-90 500`,
    cause: 's',
  },
  {
    name: 'a chain of servers alone, each with a 500',
    happened: `
      server a GET /1 0-100 500
        server b GET /2 5-95 500
          server c GET /3 10-90 500
            #s server d GET /4 15-85 500`,
    cause: 's',
  },
  {
    name: 'a 429 from outside, tried three times',
    happened: `
      server a GET /a 0-900 503
        #c client api.example GET /geo 5-50 429 HTTP 429
        client api.example GET /geo 155-200 429 HTTP 429
        client api.example GET /geo 455-500 429 HTTP 429`,
    cause: 'c',
  },
  {
    name: 'a service of ours limits its callers',
    happened: `
      server a GET /a 0-50 503
        client b:80 GET /b 5-15 429 HTTP 429
          #s server b GET /b 6-14 429`,
    cause: 's',
  },
  {
    name: 'a certificate that nobody trusts, behind two services',
    happened: `
      server a GET /a 0-50 500
        client b:80 GET /b 5-45 500 HTTP 500
          server b GET /b 6-44 500 HTTP 500
            #c client c.example GET /c 8-20 - DEPTH_ZERO_SELF_SIGNED_CERT`,
    cause: 'c',
  },
  {
    name: 'an answer that breaks off in the middle of the callee crashing',
    happened: `
      server a GET /a 0-50 502
        #c client b:80 GET /export 5-40 200 ERR_STREAM_PREMATURE_CLOSE
          ~server b GET /export 6-39 200`,
    cause: 'c',
  },
  {
    name: 'the callee writes 500 and breaks the connection',
    happened: `
      server a GET /a 0-50 502
        client b:80 GET /export 5-40 - ECONNRESET
          server b GET /export 6-39 500
            #q query postgresql SELECT export 8-38 - query failed: 57P01`,
    cause: 'q',
  },
  {
    name: 'a consumer fails at its database',
    happened: `
      server a POST /a 0-50 202
        producer kafka SEND orders 5-10 -
          consumer w PROCESS orders 100-200 - QueryError
            #q query postgresql INSERT w 110-190 - query failed: 23502`,
    cause: 'q',
  },
  {
    name: 'a message is tried again, and a third time, by its consumer',
    happened: `
      server a POST /a 0-50 202
        producer kafka SEND orders 5-10 -
          #m consumer w PROCESS orders 100-200 - RangeError
          consumer w PROCESS orders 300-400 - RangeError
          consumer w PROCESS orders 700-800 - RangeError`,
    cause: 'm',
  },
  {
    name: 'two consumers of one message fail for different reasons',
    happened: `
      server a POST /a 0-50 202
        producer kafka SEND orders 5-10 -
          consumer w PROCESS orders 100-200 - QueryError
            #q query postgresql INSERT w 110-190 - query failed: 23502
          #m consumer x PROCESS orders 120-300 - RangeError`,
    cause: 'q',
    independent: ['m'],
  },
  {
    name: 'the request goes well, its message waits for ever in a slow consumer that is cut off',
    happened: `
      server a POST /a 0-50 202
        producer nats SEND orders 5-10 -
          consumer w PROCESS orders 100-5100 - TimeoutError
            #c client slow.example POST /x 110-9000 200`,
    cause: 'c',
  },
  {
    name: 'the broker refuses a message that is too large',
    happened: `
      server a POST /a 0-50 500
        #p producer nats SEND big 5-10 - MAX_PAYLOAD`,
    cause: 'p',
  },
  {
    name: 'a piece of work inside the request throws',
    happened: `
      server a POST /a 0-50 500
        #i internal a RUN price 5-40 - RangeError
          query postgresql SELECT prices 6-10 -`,
    cause: 'i',
  },
  {
    name: 'a piece of work inside the request fails at its call',
    happened: `
      server a POST /a 0-50 500
        internal a RUN price 5-40 - TypeError
          #c client fx.example GET /rates 6-39 503 HTTP 503`,
    cause: 'c',
  },
  {
    name: 'a listener fails at a statement beside it, in the same request',
    happened: `
      server a POST /a 0-50 500
        query postgresql INSERT orders 2-6 -
        #q query postgresql INSERT stock 8-20 - query failed: 23514
        event order.placed HANDLE order.placed 7-21 - 1 of its listeners failed`,
    cause: 'q',
  },
  {
    name: 'a job fails at the second of its three calls',
    happened: `
      internal w RUN nightly 0-900 - JobError
        client a.example GET /one 5-20 200
        #c client b.example GET /two 25-80 500 HTTP 500
        query postgresql ROLLBACK 81-83 -`,
    cause: 'c',
  },
  {
    name: 'slow: a chain whose time goes in the lowest call out of sight',
    happened: `
      server a GET /a 0-3000 200
        client b:80 GET /b 5-2990 200
          server b GET /b 8-2985 200
            query postgresql SELECT b 10-300 -
            #x client far.example GET /x 310-2900 200`,
    slow: true,
    cause: 'x',
  },
  {
    name: 'slow: a query per row',
    happened: `
      server a GET /a 0-1000 200
        query postgresql SELECT all 5-50 -
        #q query postgresql SELECT row 60-260 -
        query postgresql SELECT row 270-470 -
        query postgresql SELECT row 480-680 -
        query postgresql SELECT row 690-890 -`,
    slow: true,
    cause: 'q',
  },
  {
    name: 'slow: the service computes',
    happened: `
      #s server a GET /a 0-1000 200
        query postgresql SELECT all 5-50 -
        query postgresql SELECT more 60-160 -`,
    slow: true,
    cause: 's',
  },
  {
    name: 'slow: the time goes on the way to a quick callee',
    happened: `
      server a GET /a 0-3000 200
        #c client b:80 GET /b 5-2990 200
          server b GET /b 2900-2950 200`,
    slow: true,
    cause: 'c',
  },
  {
    name: 'slow: a wrong clock does not hide the slow callee',
    happened: `
      server a GET /a 0-3000 200
        client b:80 GET /b 5-2990 200
          #s server b GET /b 8-2985 200`,
    skew: { b: -90_000 },
    slow: true,
    cause: 's',
  },
  {
    name: 'nothing fails, a client error is answered',
    happened: `
      server a POST /a 0-30 422
        query postgresql SELECT a 5-10 -`,
    cause: 'none',
  },
  {
    name: 'a login is refused, and the refusal is passed on',
    happened: `
      server a POST /login 0-30 401
        client auth:80 POST /token 5-20 401
          server auth POST /token 6-19 401`,
    cause: 'none',
  },
  {
    name: 'only a call without its parent arrived',
    happened: `
      ~server a GET /a 0-100 500
        #c client b:80 GET /b 5-95 - ECONNREFUSED`,
    cause: 'c',
  },
  {
    name: 'the callee was restarted: first refused, then a good answer, and everything went well',
    happened: `
      server a GET /a 0-100 200
        #c client b:80 GET /b 5-8 - ECONNREFUSED
        client b:80 GET /b 58-80 200
          server b GET /b 60-78 200`,
    cause: 'c',
  },
  {
    name: 'a request fails long after its only failed call',
    happened: `
      server a GET /a 0-2000 500
        client ads:80 GET /ads 5-20 500 HTTP 500
        internal a RUN render 30-1990 - RangeError`,
    cause: 'span 0000000000000003',
  },
  {
    name: 'a failing health check of a dependency beside the real failure',
    happened: `
      server a GET /a 0-100 500
        client b:80 GET /healthz 2-4 503 HTTP 503
        client c:80 GET /c 10-60 500 HTTP 500
          #s server c GET /c 12-58 500 HTTP 500`,
    cause: 's',
  },
  ...SYSTEM,
  ...DRIVEN,
  ...CARRIED,
];
