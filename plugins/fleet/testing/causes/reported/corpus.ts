import type { Planted } from '../planted.js';

/** Planted failures modelled on published incident reports: pools, breakers, fallbacks, lost leaders, services in other languages. */
export const REPORTED: readonly Planted[] = [
  {
    name: 'a pool of connections is used up, and nobody gets one in time',
    happened: `
      server gateway POST /checkout 0-5060 500
        client checkout:3000 POST /orders 5-5050 500
          server checkout POST /orders 8-5045 500
            #c internal checkout ACQUIRE connection 12-5012 - TimeoutError`,
    cause: 'c',
  },
  {
    name: 'a storm of retries above a statement that is cancelled each time',
    happened: `
      server gateway GET /orders 0-3200 503
        client orders:3000 GET /orders 5-1005 503
          server orders GET /orders 8-1000 503
            #c query postgresql SELECT orders 10-995 - 57014
        client orders:3000 GET /orders 1105-2105 503
          server orders GET /orders 1108-2100 503
            query postgresql SELECT orders 1110-2095 - 57014
        client orders:3000 GET /orders 2205-3190 503
          server orders GET /orders 2208-3185 503
            query postgresql SELECT orders 2210-3180 - 57014`,
    cause: 'c',
  },
  {
    name: 'an open breaker answers without a call',
    happened: `
      server web GET /feed 0-12 503
        client timeline:80 GET /feed 1-10 503
          server timeline GET /feed 2-9 503
            #c internal timeline GUARD ranking 3-4 - CircuitBreakerOpen`,
    cause: 'c',
  },
  {
    name: 'the cache is away, and the database behind it is too slow for everybody',
    happened: `
      server gateway GET /profile 0-2010 504
        #t client users:80 GET /profile 4-2004 - TimeoutError
          server users GET /profile 6-4200 200
            #cache client cache:6379 GET profile 8-12 - ECONNREFUSED
            #c query postgresql SELECT users 15-4190 -`,
    cause: 'c',
    derived: ['t'],
    independent: ['cache'],
  },
  {
    name: 'one name does not resolve, and the calls beside it are cut off',
    happened: `
      server gateway GET /home 0-60 500
        #a client news:80 GET /news 3-52 - AbortError
        #c client ads.internal GET /ads 3-50 - ENOTFOUND
        #b client weather:80 GET /now 3-52 - AbortError`,
    cause: 'c',
    derived: ['a', 'b'],
  },
  {
    name: 'the certificate of the one who knows passwords has expired',
    happened: `
      server web POST /login 0-40 502
        client auth:443 POST /token 2-35 502
          server auth POST /token 5-30 502
            #c client idp.example:443 POST /oauth 8-25 - CERT_HAS_EXPIRED`,
    cause: 'c',
  },
  {
    name: 'a broken side dish is left out, and the service fails for itself later',
    happened: `
      #c server feed GET /feed 0-300 500
        #ads client ads:80 GET /ads 5-40 500
          #adserver server ads GET /ads 8-38 500
        query postgresql SELECT posts 60-120 -
        internal feed RENDER page 130-290 -`,
    cause: ['c', 'unknown'],
    independent: ['adserver'],
  },
  {
    name: 'a limiter of our own refuses',
    happened: `
      server api GET /export 0-30 503
        #call client limiter:80 POST /take 3-12 429 HTTP 429
          #c server limiter POST /take 5-10 429`,
    cause: ['c', 'call'],
  },
  {
    name: 'the leader is lost, and the second try goes to the new one',
    happened: `
      server orders POST /orders 0-900 201
        #c query postgresql INSERT orders 5-20 - 25006
        query postgresql INSERT orders 820-840 -`,
    cause: 'c',
  },
  {
    name: 'a poisonous message fails whoever handles it, long after the answer',
    happened: `
      server shop POST /orders 0-30 202
        producer kafka SEND orders 10-15 -
          #c consumer mails PROCESS orders 4000-4020 - SyntaxError`,
    cause: 'c',
  },
  {
    name: 'a statement for each row, each of them quick',
    slow: true,
    happened: `
      server shop GET /report 0-1000 200
        query postgresql SELECT orders 5-30 -
        #c query postgresql SELECT lines 40-250 -
        query postgresql SELECT lines 260-480 -
        query postgresql SELECT lines 490-720 -
        query postgresql SELECT lines 730-980 -`,
    cause: 'c',
  },
  {
    name: 'a deadline of gRPC ends a call whose callee builds its index anew',
    happened: `
      server web GET /search 0-1010 504
        #t client search:9090 RPC Search/Query 5-1005 - DEADLINE_EXCEEDED
          server search RPC Search/Query 8-3000 -
            #c internal search REBUILD index 50-2900 -`,
    cause: 'c',
    derived: ['t'],
  },
  {
    name: 'a service in Java waits for another one that sends no spans',
    happened: `
      server web GET /quote 0-3050 500
        client rates:80 GET /quote 3-3045 500
          server rates GET /quote 6-3040 500
            #c client bank.example:443 GET /rates 20-3030 - java.net.SocketTimeoutException`,
    cause: 'c',
  },
  {
    name: 'the callee is killed for its memory: its own span is lost, and one of its queries is not',
    happened: `
      server web POST /import 0-900 502
        #c client importer:80 POST /files 5-890 - ECONNRESET
          ~server importer POST /files 8-885 0
            query postgresql INSERT rows 20-300 -`,
    cause: 'c',
  },
  {
    name: 'who asks is not known, and what follows is refused for it',
    happened: `
      #w server web GET /orders 0-120 500
        client auth:80 GET /me 5-40 500
          #auth server auth GET /me 8-38 500
        client orders:80 GET /orders 60-100 403
          server orders GET /orders 62-98 403`,
    cause: ['unknown', 'auth'],
  },
  {
    name: 'two transactions lock each other out, twice',
    happened: `
      server stock POST /reserve 0-2500 500
        #c query postgresql UPDATE items 5-1005 - 40P01
        query postgresql ROLLBACK 1006-1008 -
        query postgresql UPDATE items 1100-2105 - 40P01
        query postgresql ROLLBACK 2106-2108 -`,
    cause: 'c',
  },
  {
    name: 'a clock that is five minutes behind, on the way to the failure',
    skew: { orders: -300_000 },
    happened: `
      server web GET /a 0-200 502
        client orders:80 GET /b 5-190 502
          server orders GET /b 10-185 502
            client pay:80 GET /c 20-180 500
              #c server pay GET /c 25-175 500`,
    cause: 'c',
  },
  {
    name: 'a trace that was not sampled: the failures alone arrive',
    sampled: false,
    happened: `
      server web GET /a 0-200 502
        client orders:80 GET /b 5-190 500
          #c server orders GET /b 10-185 500
            query postgresql SELECT x 20-30 -`,
    cause: 'c',
  },
  {
    name: 'something between the services gives up first',
    happened: `
      server web GET /report 0-60020 504
        #c client balancer:80 GET /report 4-60010 504 HTTP 504`,
    cause: 'c',
  },
  {
    name: 'two callees fail beside each other, each for itself',
    happened: `
      server cart GET /cart 0-80 500
        client pricing:80 GET /prices 5-30 500
          #c server pricing GET /prices 7-28 500
        client stock:80 GET /stock 5-50 500
          #other server stock GET /stock 7-48 500`,
    cause: 'c',
    independent: ['other'],
  },
  {
    name: 'the request survives a failed call and then fails in its own code',
    happened: `
      #w server a POST /a 0-50 500 TypeError
        client fx.example GET /rates 6-39 503 HTTP 503`,
    cause: 'w',
  },
  {
    name: 'the request survives a refused call, and a caller above fails with it',
    happened: `
      server g POST /g 0-80 502
        client a.example POST /a 2-70 500 HTTP 500
          #w server a POST /a 4-60 500 RangeError
            client fx.example GET /rates 6-9 - ECONNREFUSED`,
    cause: 'w',
  },
  {
    name: 'two calls fail at once, and the code of the request stumbles over what is missing',
    happened: `
      #w server a POST /a 0-50 500 java.lang.NullPointerException
        client fx.example GET /rates 6-39 503 HTTP 503
        client tax.example GET /rates 6-40 503 HTTP 503`,
    cause: 'w',
  },
  {
    name: 'the request fails with the exception of its call',
    happened: `
      server a POST /a 0-50 500 ECONNREFUSED
        #c client fx.example GET /rates 6-9 - ECONNREFUSED`,
    cause: 'c',
  },
  {
    name: 'the request fails with the exception of its statement, whatever that is called',
    happened: `
      server a POST /a 0-50 500 ValueError
        #q query postgresql INSERT rates 6-9 - query failed: ValueError`,
    cause: 'q',
  },
  {
    name: 'the request fails with an exception of its own choice for its call',
    happened: `
      server a POST /a 0-50 500 RatesAway
        #c client fx.example GET /rates 6-39 503 HTTP 503`,
    cause: 'c',
  },
];
