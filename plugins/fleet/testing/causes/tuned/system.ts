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
];
