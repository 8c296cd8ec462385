import type { Planted } from '../planted.js';

/** Planted failures that test the rules of the root cause independently: written before the rules, and not used for tuning them. */
export const HELD_OUT: readonly Planted[] = [
  {
    name: 'the callee refuses connections',
    happened: `
      server shop GET /cart 0-30 502
        #c client stock:3000 GET /stock/7 4-9 - ECONNREFUSED`,
    cause: 'c',
  },
  {
    name: 'the name of the callee does not resolve',
    happened: `
      server shop GET /cart 0-80 500
        query postgresql SELECT carts 2-6 -
        #c client stock.internal GET /stock 8-70 - ENOTFOUND`,
    cause: 'c',
  },
  {
    name: 'the callee crashes while it answers, and its span is lost',
    happened: `
      server shop POST /orders 0-140 500
        query postgresql SELECT carts 3-12 -
        #c client pay:3000 POST /charges 20-130 - ECONNRESET
          ~server pay POST /charges 22-128 0`,
    cause: 'c',
  },
  {
    name: 'a quota of an API from outside is used up',
    happened: `
      server shop GET /weather 0-90 503
        #c client api.weather.example GET /v1/now 5-80 429 HTTP 429`,
    cause: 'c',
  },
  {
    name: 'an untraced callee answers 500',
    happened: `
      server shop GET /rates 0-90 502
        client rates:80 GET /ping 2-8 200
        #c client rates:80 GET /rates 10-80 500 HTTP 500`,
    cause: 'c',
  },
  {
    name: 'three services deep, the lowest throws by itself',
    happened: `
      server edge GET /a 0-100 502
        client mid:1 GET /b 5-95 500 HTTP 500
          server mid GET /b 8-92 500 HTTP 500
            client low:1 GET /c 12-85 500 HTTP 500
              #s server low GET /c 14-82 500 HTTP 500
                query postgresql SELECT things 16-20 -`,
    cause: 's',
  },
  {
    name: 'three services deep, the database of the lowest is gone',
    happened: `
      server edge GET /a 0-100 502
        client mid:1 GET /b 5-95 500 HTTP 500
          server mid GET /b 8-92 500 HTTP 500
            client low:1 GET /c 12-85 500 HTTP 500
              server low GET /c 14-82 500 HTTP 500
                #q query postgresql SELECT things 16-80 - query failed: ECONNREFUSED`,
    cause: 'q',
  },
  {
    name: 'spans of servers alone, as an older tracer sends them',
    happened: `
      server edge GET /a 0-100 502
        server mid GET /b 8-92 500 HTTP 500
          #s server low GET /c 14-82 503 HTTP 503`,
    cause: 's',
  },
  {
    name: 'spans of servers alone, the middle one breaks after a good answer',
    happened: `
      server edge GET /a 0-100 502 HTTP 502
        #s server mid GET /b 8-92 500 HTTP 500
          server low GET /c 14-82 200`,
    cause: 's',
  },
  {
    name: 'the slow query of a callee lets its caller time out',
    happened: `
      server shop GET /report 0-1010 504
        client books:1 GET /sums 5-1005 - TimeoutError
          server books GET /sums 8-4000 200
            #q query postgresql SELECT sum 10-3990 -`,
    cause: 'q',
  },
  {
    name: 'a callee that is slow by itself lets its caller time out',
    happened: `
      server shop GET /report 0-1010 504
        client books:1 GET /sums 5-1005 - TimeoutError
          #s server books GET /sums 8-4000 200
            query postgresql SELECT sum 10-40 -`,
    cause: 's',
  },
  {
    name: 'the timeout of the first waits for the third, who waits for somebody outside',
    happened: `
      server a GET /a 0-2010 504
        client b:1 GET /b 5-2005 - UND_ERR_HEADERS_TIMEOUT
          server b GET /b 8-5020 200
            client c:1 GET /c 10-5010 200
              server c GET /c 12-5000 200
                query mysql SELECT x 14-20 -
                #x client slow.example GET /x 25-4990 200`,
    cause: 'x',
  },
  {
    name: 'a timeout whose callee did its first query slowly and was in the second at the deadline',
    happened: `
      server a GET /a 0-1010 504
        client b:1 GET /b 5-1005 - TimeoutError
          server b GET /b 8-2500 200
            query postgresql SELECT small 10-60 -
            #q query postgresql SELECT large 70-2400 -
            query postgresql SELECT late 2410-2490 -`,
    cause: 'q',
  },
  {
    name: 'a timeout against a callee that is not traced',
    happened: `
      server a GET /a 0-3010 500
        #c client legacy:8080 GET /soap 5-3005 - TimeoutError`,
    cause: 'c',
  },
  {
    name: 'a retry that helps is no cause of a later failure',
    happened: `
      server a GET /a 0-300 500
        client b:1 GET /b 5-20 503 HTTP 503
          server b GET /b 7-18 503 HTTP 503
        client b:1 GET /b 40-80 200
          server b GET /b 42-78 200
        client c:1 POST /c 90-290 500 HTTP 500
          #s server c POST /c 95-285 500 HTTP 500`,
    cause: 's',
  },
  {
    name: 'all three attempts fail at the database of the callee',
    happened: `
      server a GET /a 0-300 502
        client b:1 GET /b 5-20 500 HTTP 500
          server b GET /b 7-18 500 HTTP 500
            #q query postgresql SELECT b 8-15 - query failed: 53300
        client b:1 GET /b 40-80 500 HTTP 500
          server b GET /b 42-78 500 HTTP 500
            #q2 query postgresql SELECT b 45-70 - query failed: 53300
        client b:1 GET /b 120-180 500 HTTP 500
          server b GET /b 122-178 500 HTTP 500
            query postgresql SELECT b 125-170 - query failed: 53300`,
    cause: ['q', 'q2'],
  },
  {
    name: 'attempts against a callee that refuses',
    happened: `
      server a GET /a 0-300 503
        #c client b:1 GET /b 5-8 - ECONNREFUSED
        client b:1 GET /b 108-110 - ECONNREFUSED
        client b:1 GET /b 210-212 - ECONNREFUSED`,
    cause: 'c',
  },
  {
    name: 'a failure that is replaced by a default, and nothing else',
    happened: `
      server a GET /home 0-80 200
        client ads:1 GET /ads 5-30 500 HTTP 500
          #s server ads GET /ads 7-28 500 HTTP 500
        client news:1 GET /news 5-60 200
          server news GET /news 8-58 200`,
    cause: 's',
  },
  {
    name: 'the fallback fails after the first choice failed',
    happened: `
      server a GET /price 0-200 500
        #p client primary:1 GET /price 5-40 - ECONNREFUSED
        client backup:1 GET /price 45-190 503 HTTP 503`,
    cause: 'p',
  },
  {
    name: 'of a fan-out one branch fails, and the others are cut',
    happened: `
      server a GET /page 0-60 500
        client b:1 GET /b 5-55 - AbortError
          server b GET /b 8-56 0
        client c:1 GET /c 5-50 500 HTTP 500
          #s server c GET /c 8-48 500 HTTP 500
        client d:1 GET /d 5-56 - AbortError
          server d GET /d 8-200 200`,
    cause: 's',
  },
  {
    name: 'a fan-out is cut, and a cut callee fails before the cause is written',
    happened: `
      server a GET /page 0-60 500
        client b:1 GET /b 5-51 - AbortError
          server b GET /b 8-53 500 HTTP 500
            query postgresql SELECT b 10-52 - query failed: AbortError
        client c:1 GET /c 5-50 500 HTTP 500
          #s server c GET /c 8-49 500 HTTP 500`,
    cause: 's',
  },
  {
    name: 'two branches fail for reasons of their own',
    happened: `
      server a GET /page 0-90 500
        client b:1 GET /b 5-40 500 HTTP 500
          #b server b GET /b 8-38 500 HTTP 500
        client c:1 GET /c 5-80 500 HTTP 500
          #c server c GET /c 8-78 500 HTTP 500`,
    cause: 'b',
    independent: ['c'],
  },
  {
    name: 'two branches fail at one database',
    happened: `
      server a GET /page 0-90 500
        client b:1 GET /b 5-40 500 HTTP 500
          server b GET /b 8-38 500 HTTP 500
            #q query postgresql SELECT b 10-36 - query failed: ECONNREFUSED
        client c:1 GET /c 5-80 500 HTTP 500
          server c GET /c 8-78 500 HTTP 500
            query postgresql SELECT c 10-76 - query failed: ECONNREFUSED`,
    cause: 'q',
  },
  {
    name: 'the clock of the lowest service is five seconds early',
    happened: `
      server a GET /a 0-100 500
        client b:1 GET /b 5-95 500 HTTP 500
          server b GET /b 8-92 500 HTTP 500
            client c:1 GET /c 20-80 500 HTTP 500
              #s server c GET /c 25-75 500 HTTP 500`,
    skew: { c: -5000 },
    cause: 's',
  },
  {
    name: 'the clock of a branch that failed later is early',
    happened: `
      server a GET /page 0-90 500
        client b:1 GET /b 5-30 500 HTTP 500
          #b server b GET /b 8-28 500 HTTP 500
        client c:1 GET /c 6-80 500 HTTP 500
          server c GET /c 8-78 500 HTTP 500`,
    skew: { c: -2000 },
    cause: 'b',
  },
  {
    name: 'the clock of a slow callee is wrong while its caller times out',
    happened: `
      server a GET /a 0-1010 504
        client b:1 GET /b 5-1005 - TimeoutError
          server b GET /b 8-4000 200
            query postgresql SELECT one 10-60 -
            #q query postgresql SELECT two 70-3900 -`,
    skew: { b: 9000 },
    cause: 'q',
  },
  {
    name: 'nothing was sampled but the failures of a chain',
    happened: `
      server a GET /a 0-100 502 HTTP 502
        client b:1 GET /b 5-95 500 HTTP 500
          #s server b GET /b 8-92 500 HTTP 500
            client c:1 GET /c 20-30 200
              server c GET /c 22-28 200`,
    sampled: false,
    cause: 's',
  },
  {
    name: 'not sampled: the middle survived, so that its callee is an orphan',
    happened: `
      server a GET /a 0-100 200
        client b:1 GET /b 5-95 200
          server b GET /b 8-92 200
            client c:1 GET /c 20-50 500 HTTP 500
              #s server c GET /c 22-48 500 HTTP 500`,
    sampled: false,
    cause: 's',
  },
  {
    name: 'the span of the middle service is missing',
    happened: `
      server a GET /a 0-100 502
        client b:1 GET /b 5-95 500 HTTP 500
          ~server b GET /b 8-92 500 HTTP 500
            client c:1 GET /c 20-80 500 HTTP 500
              #s server c GET /c 22-78 500 HTTP 500`,
    cause: 's',
  },
  {
    name: 'the span of the lowest service is missing',
    happened: `
      server a GET /a 0-100 502
        client b:1 GET /b 5-95 500 HTTP 500
          server b GET /b 8-92 500 HTTP 500
            #c client c:1 GET /c 20-80 500 HTTP 500
              ~server c GET /c 22-78 500 HTTP 500`,
    cause: 'c',
  },
  {
    name: 'a handler throws after all of its calls went well',
    happened: `
      #s server a GET /a 0-100 500 HTTP 500
        query postgresql SELECT a 5-20 -
        client b:1 GET /b 25-60 200
          server b GET /b 28-58 200`,
    cause: 's',
  },
  {
    name: 'a handler throws over a 404 of its callee',
    happened: `
      server a GET /a 0-100 500 HTTP 500
        #c client b:1 GET /users/9 25-60 404
          #s server b GET /users/:id 28-58 404`,
    cause: ['c', 's', 'unknown'],
  },
  {
    name: 'everything is fine',
    happened: `
      server a GET /a 0-100 200
        client b:1 GET /b 25-60 200
          server b GET /b 28-58 200`,
    cause: 'none',
  },
  {
    name: 'a client asks for what is not there',
    happened: `
      server a GET /a 0-10 404
        client b:1 GET /b 2-8 404
          server b GET /b 3-7 404`,
    cause: 'none',
  },
  {
    name: 'a unique key is violated, and the caller gets a 409',
    happened: `
      server a POST /users 0-30 409
        #q query postgresql INSERT users 5-20 - query failed: 23505`,
    cause: ['q', 'none'],
  },
  {
    name: 'a statement is cut off by its deadline',
    happened: `
      server a GET /a 0-5100 500
        #q query postgresql SELECT big 20-5020 - query failed: 57014`,
    cause: 'q',
  },
  {
    name: 'a deadlock that the second try survives, then the file storage is full',
    happened: `
      server a POST /upload 0-400 507
        query mysql UPDATE files 10-60 - query failed: ER_LOCK_DEADLOCK
        query mysql UPDATE files 80-100 -
        #c client storage:9000 PUT /bucket/x 110-390 507 HTTP 507`,
    cause: 'c',
  },
  {
    name: 'a consumer fails at a message',
    happened: `
      server shop POST /orders 0-40 202
        producer kafka SEND orders 10-20 -
          #m consumer mailer PROCESS orders 200-260 - HandlerError`,
    cause: 'm',
  },
  {
    name: 'a consumer fails because the mail server refuses',
    happened: `
      server shop POST /orders 0-40 202
        producer nats SEND orders 10-20 -
          consumer mailer PROCESS orders 200-260 - HandlerError
            #c client smtp.example POST /send 210-220 - ECONNREFUSED`,
    cause: 'c',
  },
  {
    name: 'the broker is away',
    happened: `
      server shop POST /orders 0-5040 500
        query postgresql INSERT orders 5-9 -
        #p producer kafka SEND orders 10-5010 - ETIMEDOUT`,
    cause: 'p',
  },
  {
    name: 'the request fails, and so does a consumer of what it sent before',
    happened: `
      server shop POST /orders 0-90 500
        producer kafka SEND audit 5-9 -
          #m consumer audit PROCESS audit 150-160 - HandlerError
        client pay:1 POST /pay 20-80 500 HTTP 500
          #s server pay POST /pay 22-78 500 HTTP 500`,
    cause: 's',
    independent: ['m'],
  },
  {
    name: 'a slow callee, nothing fails',
    happened: `
      server a GET /a 0-3000 200
        client b:1 GET /b 20-2950 200
          #s server b GET /b 25-2940 200
            query postgresql SELECT b 30-60 -`,
    slow: true,
    cause: 's',
  },
  {
    name: 'a slow query, nothing fails',
    happened: `
      server a GET /a 0-3000 200
        client b:1 GET /b 20-2950 200
          server b GET /b 25-2940 200
            #q query postgresql SELECT b 30-2900 -`,
    slow: true,
    cause: 'q',
  },
  {
    name: 'the slower of two that ran together',
    happened: `
      server a GET /a 0-3000 200
        client b:1 GET /b 20-1500 200
          server b GET /b 25-1490 200
        client c:1 GET /c 20-2950 200
          #s server c GET /c 25-2940 200`,
    slow: true,
    cause: 's',
  },
  {
    name: 'a hundred milliseconds in each of many queries',
    happened: `
      server a GET /a 0-1300 200
        #q client api.example GET /x 20-1290 200`,
    slow: true,
    cause: 'q',
  },
  {
    name: 'an event listener throws',
    happened: `
      server a POST /a 0-50 500 HTTP 500
        #e event order.placed HANDLE order.placed 10-40 - 1 of its listeners failed`,
    cause: 'e',
  },
  {
    name: 'the middle answers 503 because its limiter is full',
    happened: `
      server a GET /a 0-50 502
        client b:1 GET /b 5-10 503 HTTP 503
          #s server b GET /b 6-9 503 HTTP 503`,
    cause: 's',
  },
  {
    name: 'a 429 of a sibling that hands on what a stranger said',
    happened: `
      server a GET /a 0-50 503
        client b:1 GET /b 5-45 429 HTTP 429
          server b GET /b 6-44 429
            #c client api.example GET /q 10-40 429 HTTP 429`,
    cause: 'c',
  },
  {
    name: 'the caller hangs up',
    happened: `
      server a GET /a 0-50 0
        client b:1 GET /b 5-50 - AbortError
          server b GET /b 6-51 0
            query postgresql SELECT b 10-51 - query failed: AbortError`,
    cause: ['none', 'unknown'],
  },
  {
    name: 'the token service fails before the work begins',
    happened: `
      server a GET /a 0-50 500
        client auth:1 POST /token 5-30 500 HTTP 500
          server auth POST /token 6-28 500 HTTP 500
            #r query redis GET keys 8-20 - query failed: ECONNREFUSED`,
    cause: 'r',
  },
  {
    name: 'a survived failure early, and the handler throws late by itself',
    happened: `
      #s server a GET /a 0-400 500 HTTP 500
        client ads:1 GET /ads 5-30 500 HTTP 500
          server ads GET /ads 7-28 500 HTTP 500
        client b:1 GET /b 50-100 200
          server b GET /b 52-98 200
        query postgresql SELECT x 110-120 -
        query postgresql SELECT y 130-150 -`,
    cause: ['s', 'unknown'],
  },
  {
    name: 'a connection breaks off while the callee says that it was fine',
    happened: `
      server a GET /a 0-50 502
        #c client b:1 GET /b 5-40 - ECONNRESET
          server b GET /b 6-39 200`,
    cause: 'c',
  },
  {
    name: 'the pool of the database is exhausted',
    happened: `
      server a GET /a 0-5050 503
        #q query postgresql SELECT a 10-5010 - query failed: FW_ORM_POOL_TIMEOUT`,
    cause: 'q',
  },
  {
    name: 'the same service twice, the inner one fails',
    happened: `
      server a GET /outer 0-100 500 HTTP 500
        client a:1 GET /inner 5-95 500 HTTP 500
          #s server a GET /inner 8-92 500 HTTP 500`,
    cause: 's',
  },
  {
    name: 'a certificate has expired',
    happened: `
      server a GET /a 0-50 502
        #c client b.example GET /b 5-20 - CERT_HAS_EXPIRED`,
    cause: 'c',
  },
  {
    name: 'a proxy between answers 502 for a service that never saw the request',
    happened: `
      server a GET /a 0-50 502
        #c client lb:80 GET /b 5-20 502 HTTP 502`,
    cause: 'c',
  },
  {
    name: 'timeout of the middle service is handed on as 504',
    happened: `
      server a GET /a 0-600 504
        client b:1 GET /b 5-590 504 HTTP 504
          server b GET /b 8-585 504 HTTP 504
            client c:1 GET /c 10-510 - TimeoutError
              server c GET /c 12-900 200
                #q query postgresql UPDATE c 15-890 -`,
    cause: 'q',
  },
  {
    name: 'one callee times out while another one has failed before and was survived',
    happened: `
      server a GET /a 0-1600 504
        client ads:1 GET /ads 5-30 500 HTTP 500
          server ads GET /ads 7-28 500 HTTP 500
        client b:1 GET /b 50-80 200
          server b GET /b 52-78 200
        client c:1 GET /c 100-1100 - TimeoutError
          #s server c GET /c 102-2100 200`,
    cause: 's',
  },
  {
    name: 'a long chain, the first of four queries fails',
    happened: `
      server a GET /1 0-100 500
        client b:1 GET /2 5-95 500 HTTP 500
          server b GET /2 6-94 500 HTTP 500
            client c:1 GET /3 7-90 500 HTTP 500
              server c GET /3 8-88 500 HTTP 500
                client d:1 GET /4 10-80 500 HTTP 500
                  server d GET /4 12-78 500 HTTP 500
                    #q query postgresql SELECT d 14-30 - query failed: 42P01`,
    cause: 'q',
  },
  {
    name: 'only the entry arrived, with a failure',
    happened: `
      #s server a GET /a 0-100 502 HTTP 502
        ~client b:1 GET /b 5-95 500 HTTP 500
          ~server b GET /b 8-92 500 HTTP 500`,
    cause: ['s', 'unknown'],
  },
  {
    name: 'a job that nobody called fails',
    happened: `
      internal worker RUN nightly 0-900 - JobError
        query postgresql SELECT due 5-20 -
        #c client bank.example POST /collect 30-880 503 HTTP 503`,
    cause: 'c',
  },
  {
    name: 'the entry survives what fails in two services below',
    happened: `
      server a GET /a 0-100 200
        client b:1 GET /b 5-60 500 HTTP 500
          server b GET /b 8-58 500 HTTP 500
            #r client c:1 GET /c 10-50 - ECONNREFUSED
        client b2:1 GET /b 65-95 200
          server b2 GET /b 66-94 200`,
    cause: 'r',
  },
];
