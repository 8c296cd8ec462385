import type { Planted } from '../planted.js';

/** Failures that a system of services in several languages and frameworks left, some of them traced by OpenTelemetry. */
export const SYSTEM: readonly Planted[] = [
  {
    name: 'a framework has a span for its handler, which catches what its call failed with and answers 502',
    happened: `
      server web GET /trips 0-70 502
        client quotes:80 GET /quotes 5-65 502 HTTP 502
          server quotes GET /quotes 8-60 502
            internal quotes RUN handler 9-59 -
              client areas:80 GET /areas 12-50 500 HTTP 500
                #g server areas GET /areas 20-45 500`,
    cause: 'g',
  },
  {
    name: 'layers within layers, the call in the innermost one times out',
    happened: `
      server web GET /trips 0-330 504
        internal web RUN router 1-329 -
          internal web RUN handler 2-328 -
            client areas:80 GET /areas 5-305 - TimeoutError
              #g server areas GET /areas 10-900 200`,
    cause: 'g',
  },
  {
    name: 'what failed in a part that went well anyway was survived, and a later part fails',
    happened: `
      server web GET /trips 0-90 500
        internal web RUN points 1-30 -
          #p client points:80 GET /points 3-28 500 HTTP 500
        internal web RUN rooms 32-85 -
          client rooms:80 GET /rooms 34-80 500 HTTP 500
            #r server rooms GET /rooms 40-75 500`,
    cause: 'r',
    independent: ['p'],
  },
  {
    name: 'a language has one exception for a deadline and for a caller that left: its own deadline',
    happened: `
      server web GET /trips 0-320 504
        client quotes:80 GET /quotes 5-305 - System.Threading.Tasks.TaskCanceledException
          #q server quotes GET /quotes 8-900 200`,
    cause: 'q',
  },
  {
    name: 'the same exception, nothing of the callee arrived, and the request answers with the exception itself',
    happened: `
      server web GET /trips 0-320 504 System.Threading.Tasks.TaskCanceledException
        #c client quotes:80 GET /quotes 5-305 - System.Threading.Tasks.TaskCanceledException`,
    cause: 'c',
  },
  {
    name: 'the same exception because another part had failed: the others were called back',
    happened: `
      server web GET /trips 0-150 500
        client quotes:80 GET /quotes 5-125 - asyncio.CancelledError
          server quotes GET /quotes 8-900 200
        client points:80 GET /points 5-124 - asyncio.CancelledError
        client rooms:80 GET /rooms 5-120 500 HTTP 500
          #r server rooms GET /rooms 9-118 500`,
    cause: 'r',
  },
  {
    name: 'the same exception all the way down because the user left',
    happened: `
      server web GET /trips 0-150 499 System.OperationCanceledException
        client quotes:80 GET /quotes 5-148 - System.Threading.Tasks.TaskCanceledException
          server quotes GET /quotes 8-150 499 System.OperationCanceledException`,
    cause: 'none',
  },
  {
    name: 'a deadline of the first service is handed down as cancellation, and the last one waits for a stranger',
    happened: `
      server web GET /trips 0-360 504
        client quotes:80 GET /quotes 5-355 504 HTTP 504
          server quotes GET /quotes 8-353 504
            client areas:80 GET /areas 10-350 - TimeoutError
              server areas GET /areas 14-352 499 context.Canceled
                #t client tiles:443 GET /tiles 16-352 - context.Canceled`,
    cause: 't',
  },
  {
    name: 'a gateway that sends no spans says that the one behind it failed',
    happened: `
      server web GET /trips 0-60 502
        #c client edge:80 GET /areas 5-55 502 HTTP 502`,
    cause: ['c', 'unknown'],
  },
  {
    name: 'a job calls a service that fails',
    happened: `
      internal nightly RUN invoices 0-60 - Error
        client quotes:80 GET /quotes 5-55 500 HTTP 500
          #q server quotes GET /quotes 8-50 500`,
    cause: 'q',
  },
  {
    name: 'many short calls use up the time of the caller',
    happened: `
      server web GET /trips 0-510 504
        client booking:80 GET /bookings 2-502 - TimeoutError
          server booking GET /bookings 4-950 200
            #a client rooms:80 GET /rooms 5-80 200
            #b client rooms:80 GET /rooms 85-160 200
            #c client rooms:80 GET /rooms 165-240 200
            #d client rooms:80 GET /rooms 245-320 200
            #e client rooms:80 GET /rooms 325-400 200
            #f client rooms:80 GET /rooms 405-480 200
            #g client rooms:80 GET /rooms 485-560 200`,
    cause: ['a', 'b', 'c', 'd', 'e', 'f', 'g'],
  },
  {
    name: 'the clock of a service that fails late is seconds behind that of one that fails first',
    happened: `
      server web GET /trips 0-480 502
        client rooms:80 GET /rooms 2-85 500 HTTP 500
          #r server rooms GET /rooms 4-82 500
        client taxes:80 GET /taxes 2-470 500 HTTP 500
          #t server taxes GET /taxes 6-460 500`,
    cause: 'r',
    independent: ['t'],
    skew: { taxes: -4000 },
  },
  {
    name: 'a lock is released after the work under it has failed, and so is a payment cancelled',
    happened: `
      server shop POST /orders 0-200 500
        client locks:80 POST /locks 2-12 201
          server locks POST /locks 4-10 201
        client pay:80 POST /payments 14-50 201
          server pay POST /payments 16-48 201
        client stock:80 PUT /stock 55-100 500 HTTP 500
          #s server stock PUT /stock 58-96 500
        client pay:80 POST /payments/:id/cancel 105-140 200
          server pay POST /payments/:id/cancel 108-138 200
        client locks:80 DELETE /locks/:id 145-190 503 HTTP 503
          #l server locks DELETE /locks/:id 148-186 503`,
    cause: 's',
    independent: ['l'],
  },
  {
    name: 'something is deleted that this request did not make: the failure before it was survived',
    happened: `
      server shop DELETE /accounts 0-200 500
        client mail:80 POST /farewell 2-50 500 HTTP 500
          #m server mail POST /farewell 4-46 500
        client users:80 DELETE /users/:id 60-180 500 HTTP 500
          #u server users DELETE /users/:id 64-176 500`,
    cause: 'u',
    independent: ['m'],
  },
  {
    name: 'two requests are hedged, the slower one is given up, and the code fails for itself afterwards',
    happened: `
      #w server web GET /find 0-100 500 TypeError
        client index:80 GET /find 2-81 - AbortError
          server index GET /find 3-400 200
        client index:80 GET /find 50-80 200
          server index GET /find 51-79 200`,
    cause: 'w',
  },
  {
    name: 'the reader leaves while a statement runs, which says that it was cancelled',
    happened: `
      server web GET /orders 0-100 499
        client orders:80 GET /orders 2-99 - AbortError
          server orders GET /orders 3-101 499
            query postgresql SELECT orders 5-101 - 57014`,
    cause: 'none',
  },
  {
    name: 'the reader leaves, and what runs on fails for itself later',
    happened: `
      server web GET /orders 0-100 499
        client orders:80 GET /orders 2-99 - AbortError
          server orders GET /orders 3-300 500 QueryFailedError
            #q query postgresql INSERT orders 120-290 - 23505`,
    cause: 'q',
  },
  {
    name: 'nothing is found, and the code fails for itself at that',
    happened: `
      #w server web GET /orders 0-100 500 TypeError
        client users:80 GET /users 2-50 404
          server users GET /users 3-49 404`,
    cause: 'w',
  },
  {
    name: 'an export is under way when the statement behind it ends',
    happened: `
      server web GET /export 0-900 200 NetworkError
        client reports:80 GET /export 2-890 200 UND_ERR_SOCKET
          server reports GET /export 3-888 200 57P01
            #q query postgresql SELECT rows 5-880 - 57P01`,
    cause: 'q',
  },
  {
    name: 'the span of the callee ends when its caller leaves, and what it waited for goes on',
    happened: `
      server web GET /seats 0-1026 500
        client hall:80 GET /seats 2-1007 - UND_ERR_HEADERS_TIMEOUT
          server hall GET /seats 14-998 200
            #q query postgresql SELECT seats 20-2590 -`,
    cause: 'q',
  },
  {
    name: 'a framework ends its handler when the caller leaves, and the statement in it goes on',
    happened: `
      server web GET /seats 0-1026 500
        client hall:80 GET /seats 2-1007 - UND_ERR_HEADERS_TIMEOUT
          server hall GET /seats 14-998 200
            internal hall RUN handler 15-997 -
              #q query postgresql SELECT seats 20-2590 -`,
    cause: 'q',
  },
  {
    name: 'a connection is opened for the next call after the only one has timed out',
    happened: `
      server web GET /plans 0-231 500
        internal web RUN handler 4-210 - TimeoutError
          client plans:80 GET /plans 5-206 - TimeoutError
            #s server plans GET /plans 8-1228 200
          internal web CONNECT plans:80 6-7 -
          internal web CONNECT plans:80 208-209 -`,
    cause: 's',
  },
  {
    name: 'a connection that is refused has a span of its own beside the call',
    happened: `
      server web GET /plans 0-34 500 NetworkError
        internal web CONNECT plans:80 4-17 - failed
        #c client plans:80 GET /plans 4-18 - ECONNREFUSED`,
    cause: 'c',
  },
  {
    name: 'the event loop of a caller stands still, so that it finds its own deadline before the answer that has long been there',
    happened: `
      #w server web GET /report 0-1230 504
        client prices:80 GET /prices 5-1215 - TimeoutError
          server prices GET /prices 8-28 200`,
    cause: ['w', 'unknown'],
    says: 'prices at GET /prices took 20 ms of the 1210 ms',
  },
  {
    name: 'a caller stands still before its call is sent, and gives it up when it looks at the clock',
    happened: `
      #w server web GET /report 0-941 504
        client prices:80 GET /prices 5-938 - TimeoutError
          server prices GET /prices 936-937 200`,
    cause: ['w', 'unknown'],
    says: 'prices at GET /prices took 1 ms of the 933 ms',
  },
  {
    name: 'a caller that stands still is itself called, by one that gives it up',
    happened: `
      server edge GET /report 0-1010 504
        client web:80 GET /report 2-1002 - TimeoutError
          #w server web GET /report 4-2200 200
            client prices:80 GET /prices 10-2190 200
              server prices GET /prices 13-30 200`,
    cause: ['w', 'unknown'],
    says: 'may have stood still',
  },
  {
    name: 'the callee took most of the time of a call that was given up',
    happened: `
      server edge GET /report 0-1010 504
        client web:80 GET /report 2-1002 - TimeoutError
          server web GET /report 4-1600 200
            client prices:80 GET /prices 10-1590 200
              #p server prices GET /prices 13-1500 200`,
    cause: 'p',
  },
  {
    name: 'nothing failed, and a caller stood still while it had a call open',
    happened: `
      server web GET /report 0-900 200
        #c client prices:80 GET /prices 5-890 200
          server prices GET /prices 8-30 200`,
    cause: 'c',
    slow: true,
  },
];
