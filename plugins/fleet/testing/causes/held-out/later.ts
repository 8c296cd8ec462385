import type { Planted } from '../planted.js';

/** Failures that were planted when the rules were finished, by somebody who had not read them: twenty of these were right at first. */
export const LATER: readonly Planted[] = [
  {
    name: 'a breaker that is open calls nobody: what fails is the service with the breaker',
    happened: `
      server web GET /home 0-30 502
        client profile:80 GET /me 2-8 200
          server profile GET /me 3-7 200
        client feed:80 GET /feed 10-28 503 HTTP 503
          #f server feed GET /feed 12-26 503 BrokenCircuitError`,
    cause: 'f',
  },
  {
    name: 'of two hedged calls the slower one is called off when the other has answered, and a later step fails',
    happened: `
      server web GET /search 0-130 500
        client index:80 GET /find 2-70 - AbortError
          server index GET /find 4-71 499
        client index:80 GET /find 22-68 200
          server index GET /find 24-66 200
        client ads:80 GET /pick 80-125 500 HTTP 500
          #a server ads GET /pick 83-122 500`,
    cause: 'a',
  },
  {
    name: 'a pool without a free connection: the query waits until it is given up',
    happened: `
      server web GET /cart 0-3040 500
        client cart:80 GET /cart 5-3030 500 HTTP 500
          server cart GET /cart 8-3025 500
            query postgres SELECT carts 10-14 -
            #q query postgres SELECT lines 16-3018 - PoolTimeoutError`,
    cause: 'q',
  },
  {
    name: 'the name is not resolved at first, the second attempt goes well, and then rows are locked by each other',
    happened: `
      server web POST /orders 0-210 500
        #n client stock:80 POST /reserve 3-12 - ENOTFOUND
        client stock:80 POST /reserve 30-60 200
          server stock POST /reserve 33-57 200
        #d query mysql INSERT orders 70-200 - ER_LOCK_DEADLOCK`,
    cause: 'd',
    independent: ['n'],
  },
  {
    name: 'a stranger counts too many calls, and the one who asks him says that he is not available',
    happened: `
      server web GET /rates 0-80 503
        client rates:80 GET /rates 3-75 503 HTTP 503
          server rates GET /rates 5-72 503
            #s client api.bank.example:443 GET /fx 10-66 429 HTTP 429`,
    cause: 's',
  },
  {
    name: 'a message that nobody took is shrugged off, and a parallel call fails',
    happened: `
      server web POST /signup 0-120 500
        #m producer kafka SEND users 4-34 - KafkaJSConnectionError
        client mail:80 POST /welcome 40-110 500 HTTP 500
          #w server mail POST /welcome 44-105 500`,
    cause: 'w',
    independent: ['m'],
  },
  {
    name: 'the request went well, and the message that it left fails with whom its consumer calls',
    happened: `
      server shop POST /orders 0-40 202
        producer kafka SEND orders 20-30 -
          consumer billing HANDLE orders 200-330 - Error
            client tax:80 POST /tax 210-320 500 HTTP 500
              server tax POST /tax 214-316 500
                #q query postgres SELECT rates 220-300 - QueryFailedError`,
    cause: 'q',
  },
  {
    name: 'a nightly job: the second of three parts cannot write',
    happened: `
      internal nightly RUN export 0-400 - Error
        query postgres SELECT rows 5-100 -
        #w query postgres INSERT reports 110-180 - QueryFailedError
        client files:80 PUT /log 200-240 200
          server files PUT /log 203-238 200`,
    cause: 'w',
  },
  {
    name: 'the callee dies in the middle of its answer',
    happened: `
      server web GET /film 0-95 502
        #c client media:80 GET /film 4-90 200 ECONNRESET
          ~server media GET /film 6-88 200`,
    cause: 'c',
  },
  {
    name: 'nobody listens, three times',
    happened: `
      server web GET /seats 0-340 503
        #a client seats:80 GET /seats 3-8 - ECONNREFUSED
        client seats:80 GET /seats 108-112 - ECONNREFUSED
        client seats:80 GET /seats 312-316 - ECONNREFUSED`,
    cause: 'a',
  },
  {
    name: 'a step fails, and undoing the steps before it fails as well',
    happened: `
      server trips POST /trips 0-300 500
        client flights:80 POST /book 2-50 200
          server flights POST /book 4-48 200
        client hotels:80 POST /book 55-120 500 HTTP 500
          #h server hotels POST /book 58-116 500
        client flights:80 DELETE /book 130-280 500 HTTP 500
          #u server flights DELETE /book 134-276 500`,
    cause: 'h',
    independent: ['u'],
  },
  {
    name: 'one failing service is survived by the front and not by the back',
    happened: `
      server web GET /account 0-200 500
        client auth:80 GET /who 2-30 500 HTTP 500
          #f server auth GET /who 4-28 500
        client account:80 GET /account 40-190 500 HTTP 500
          server account GET /account 43-186 500
            client auth:80 GET /may 50-80 500 HTTP 500
              #g server auth GET /may 53-78 500`,
    cause: 'g',
    independent: ['f'],
  },
  {
    name: 'the callee would have been ready a moment later, if its query were faster',
    happened: `
      server web GET /report 0-310 504
        client stats:80 GET /report 4-304 - TimeoutError
          server stats GET /report 7-330 200
            query clickhouse SELECT days 9-30 -
            #q query clickhouse SELECT months 32-322 -`,
    cause: 'q',
  },
  {
    name: 'after its caller had gone, the callee fails at something else',
    happened: `
      server web GET /plans 0-310 504
        client plans:80 GET /plans 4-304 - TimeoutError
          server plans GET /plans 7-900 500
            #s query postgres SELECT plans 10-620 -
            #l query postgres SELECT owners 640-880 - QueryFailedError`,
    cause: 's',
  },
  {
    name: 'a clock three seconds ahead above a database that refuses',
    happened: `
      server web GET /stock 0-90 500
        client stock:80 GET /stock 5-85 500 HTTP 500
          server stock GET /stock 9-80 500
            #q query postgres SELECT stock 12-70 - QueryFailedError`,
    cause: 'q',
    skew: { stock: 3000 },
  },
  {
    name: 'only the failures of the trace were recorded',
    happened: `
      server web GET /bill 0-90 502
        client bills:80 GET /bill 5-85 500 HTTP 500
          server bills GET /bill 9-80 500
            query postgres SELECT bills 12-20 -
            client pdf:80 POST /render 24-74 500 HTTP 500
              #p server pdf POST /render 28-70 500`,
    cause: 'p',
    sampled: false,
  },
  {
    name: 'what the middle one recorded was lost, and what it called was not',
    happened: `
      server web GET /quote 0-120 500
        client quotes:80 GET /quote 4-115 500 HTTP 500
          ~server quotes GET /quote 8-110 500
            ~client prices:80 GET /price 20-100 500 HTTP 500
              #p server prices GET /price 24-96 500`,
    cause: 'p',
  },
  {
    name: 'two of three parallel calls fail, the first to fail ends the request',
    happened: `
      server web GET /board 0-60 500
        client news:80 GET /news 2-75 500 HTTP 500
          #n server news GET /news 5-72 500
        client polls:80 GET /polls 2-55 500 HTTP 500
          #p server polls GET /polls 6-52 500
        client tips:80 GET /tips 2-40 200
          server tips GET /tips 4-38 200`,
    cause: 'p',
    independent: ['n'],
  },
  {
    name: 'a handler of an event that is waited for cannot write',
    happened: `
      server shop POST /orders 0-90 500
        query postgres INSERT orders 4-20 -
        event shop EMIT order.placed 24-84 - QueryFailedError
          #q query postgres INSERT outbox 28-80 - QueryFailedError`,
    cause: 'q',
  },
  {
    name: 'slow: most of the time is that of one statement behind two services, beside a chatty neighbour',
    happened: `
      server web GET /map 0-900 200
        client tiles:80 GET /a 5-60 200
          server tiles GET /a 8-58 200
        client tiles:80 GET /b 62-120 200
          server tiles GET /b 65-118 200
        client places:80 GET /near 125-880 200
          server places GET /near 128-876 200
            client geo:80 GET /box 140-860 200
              server geo GET /box 144-856 200
                #q query postgres SELECT shapes 150-840 -`,
    cause: 'q',
    slow: true,
  },
  {
    name: 'an answer that nobody can read: the callee says that all is well, and the caller trips over it',
    happened: `
      server web GET /offers 0-80 500
        client offers:80 GET /offers 4-70 500 HTTP 500
          #o server offers GET /offers 7-66 500 SyntaxError
            client feed:443 GET /feed 12-50 200`,
    cause: 'o',
  },
  {
    name: 'a certificate that has run out, behind a service that waits and tries again',
    happened: `
      server web POST /pay 0-700 500
        client pay:80 POST /pay 4-690 502 HTTP 502
          server pay POST /pay 8-684 502
            #c client gateway.bank.example:443 POST /charge 12-60 - CERT_HAS_EXPIRED
            client gateway.bank.example:443 POST /charge 300-350 - CERT_HAS_EXPIRED
            client gateway.bank.example:443 POST /charge 600-660 - CERT_HAS_EXPIRED`,
    cause: 'c',
  },
];
