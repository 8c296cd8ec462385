import { defineErrors } from '../../kernel/index.js';

export const HTTP_ERRORS = defineErrors('http', {
  FW_HTTP_PORT_IN_USE: {
    message:
      'Port {port} on {host} is in use. Stop the process that holds it, or set another port: the option `port` of the http plugin, or the environment variable PORT; 0 takes any free one.',
    cause: 'Another process listens on the address, often an earlier run of the same application.',
    remedy: 'Stop the other process (`lsof -i :<port>` names it) or choose another port.',
  },
  FW_HTTP_LISTEN: {
    message:
      'The server cannot listen on {host}:{port}: {reason}. Check the options `host` and `port` of the http plugin.',
    cause: 'The host is not an address of this machine, or the port needs privileges.',
    remedy: 'Use 127.0.0.1, 0.0.0.0 or an address of this machine, and a port above 1023.',
  },
  FW_HTTP_TLS_FILE: {
    message: 'The option `tls.{option}` names {file}, which cannot be used: {reason}.',
    cause: 'The file is not there, may not be read by this user, or is no PEM file.',
    remedy: 'Give the path of a PEM file, from the folder of app.config.ts, or the PEM text itself.',
    guide: 'tls-and-load.md',
  },
  FW_HTTP_TLS_INVALID: {
    message: 'The certificate and the key of the option `tls` cannot be used: {reason}.',
    cause: 'The key belongs to another certificate, is encrypted with another passphrase, or one of them is damaged.',
    remedy:
      'Give a certificate with its own key. `openssl x509 -noout -pubkey -in cert.pem` and `openssl pkey -pubout -in key.pem` print the same for a pair.',
    guide: 'tls-and-load.md',
  },
  FW_HTTP_REQUEST_TIMEOUT: {
    message: 'The body of the request took longer than {limit} ms to arrive.',
    status: 408,
    cause: 'The client, or the network between, is slow, or has stopped sending.',
    remedy: 'Send the request again. Raise `requestTimeout` of the http plugin where bodies may take longer.',
  },
  FW_HTTP_TRUSTED_PROXY: {
    message:
      '"{entry}" in `trustedProxies` is not an address. Write an IP address or a range such as 10.0.0.0/8 or fd00::/8.',
    cause: 'A trusted proxy is given by name, or with a prefix length that its address does not have.',
    remedy: 'List addresses or CIDR ranges, never names.',
    guide: 'run-in-production.md#behind-a-proxy',
  },
  FW_HTTP_DOOR_CLOSED: {
    message:
      '{name} is closed: it has no credential, and {reason}. Set {credential}. The option `openDoors` of fw/http opens it without one.',
    status: 403,
    cause:
      'A door without its credential is open in development only: not with profile prod, not on a listener beyond loopback, not with trusted proxies.',
    remedy: 'Set the credential that the sentence names.',
    guide: 'run-in-production.md#behind-a-proxy',
  },
  FW_HTTP_DOOR_LOCAL: {
    message: '{name} has no credential and is open to this machine only, and {problem}. Set {credential}.',
    status: 403,
    cause:
      'Without a credential a request has to come from a loopback address, under a loopback Host, through no proxy and from no other web page.',
    remedy: 'Set the credential that the sentence names, and send it; or ask from the machine itself.',
  },
  FW_HTTP_FOREIGN_PAGE: {
    message: 'Another web page may not send this request.',
    status: 403,
    cause: 'Origin or Sec-Fetch-Site say that a page of another origin made a browser send the request.',
    remedy:
      'Open the page itself. Behind a proxy, let it pass Host on, or send X-Forwarded-Host and be listed in `trustedProxies`.',
  },
  FW_HTTP_NOT_LISTENING: {
    message:
      'The server does not listen yet. Its address is known once every plugin is ready: ask for it in `ready`, not in `start`.',
    cause: '`url` or `port` was read before the server listened, or after it stopped.',
    remedy: 'Read the address in the `ready` phase of a plugin or later.',
  },
  FW_HTTP_HANDLER_TIMEOUT: {
    message: 'The handler of {route} took longer than {limit} ms.',
    status: 503,
    cause: 'The handler waits for something slow, or for ever.',
    remedy:
      'Hand `ctx.signal` to what it waits for, so that the work ends too. Raise `timeout` of the route, or `handlerTimeout` of the http plugin, where so long is right.',
  },
  FW_HTTP_OVERLOADED: {
    message: '{requests} requests are under way, and no more are taken at a time.',
    status: 503,
    cause: 'More is asked of the server than it can answer, or what its handlers wait for has become slow.',
    remedy:
      'Come again after the seconds in Retry-After. Set `inFlight` of the http plugin to what the server can have under way; a route with `evenWhenBusy: true` is always answered.',
  },
  FW_HTTP_ROUTE_TIMEOUT: {
    message: 'The timeout of {route} is {time}. Expected at most 24 days; 0 for no end.',
    cause: 'A timer of Node has 31 bits of milliseconds.',
    remedy: 'Give a shorter time, or 0.',
  },
  FW_HTTP_ROUTE_PATTERN: {
    message: 'The route pattern "{pattern}" of {module} is wrong: {problem}.',
    cause: 'A route path is malformed.',
    remedy: 'Start with "/", name each :parameter once, and put a *wildcard last.',
    guide: 'http.md#which-route-answers',
  },
  FW_HTTP_ROUTE_TWICE: {
    message:
      '{method} {second} of {secondModule} is registered already, as {method} {first} of {firstModule}. Remove one of them.',
    cause: 'Two routes have the same method and the same shape of path.',
    remedy: 'Remove one, or give it another path.',
    guide: 'http.md#which-route-answers',
  },
  FW_HTTP_ROUTE_HANDLER: {
    message: '{method} {path} of {module} has no handler: the last argument must be a function, but it is {found}.',
    cause: 'A route was registered without a handler, or with the arguments in another order.',
    remedy: 'Write router.get(path, options, handler).',
  },
  FW_HTTP_ROUTE_ACCESS: {
    message: 'Who may call {what} of {module} is not clear: {problem}.',
    cause:
      'A route or group says `public` beside `roles`, lists a role that its group does not let in, or gives something else than a list of names.',
    remedy:
      'Say `public: true` or `roles: [...]`, not both; a route inside a group lists some of the roles of the group, or moves out of it.',
    guide: 'authentication.md#guards-of-routes',
  },
  FW_HTTP_ROUTE_OPTION: {
    message: '{what} of {module}: {problem}.',
    cause: 'A route, its `input`, a group, a folder of files or a WebSocket was given an option that does not exist.',
    remedy: 'Correct the name; docs/guides/http.md lists what each takes.',
  },
  FW_HTTP_NO_AUTHENTICATOR: {
    message:
      "{what} of {module} lists `roles`, but no plugin can tell who calls. Add plugin(() => import('fw/middleware/jwt'), { accessSecret: ... }) to app.config.ts, or take `roles` away.",
    cause: 'A route or its group is guarded by `roles`, and no enabled plugin provides RouteAuthenticator.',
    remedy: 'Enable middleware/jwt, in this profile too.',
    guide: 'authentication.md#guards-of-routes',
  },
  FW_HTTP_OUTPUT: {
    message:
      'The output of {method} {path} cannot be read: {problem}. Give a TypeBox schema, a model class or an example value.',
    cause:
      'The `output` of a route decides what its answers may hold, and cannot: a `$ref` in it leads nowhere, a pattern is no regular expression, or a class could not be made without arguments.',
    remedy: 'Put what the `$ref` names into `$defs` of the schema, or give a TypeBox schema.',
  },
  FW_HTTP_ANSWER: {
    message: '{method} {path} answers {what}, which its route does not declare. Declared: {declared}.',
    cause: 'A handler returned `answer(...)` with a status or a media type that is not among `responses` of its route.',
    remedy: 'Add it to `responses` of the route, so that the API reference and clients know it.',
  },
  FW_HTTP_ROUTE_MODULE: {
    message: 'The route module "{module}" failed while it registered its routes: {reason}',
    cause: 'The function given to routes() threw.',
    remedy: 'See the cause of the error.',
  },
  FW_HTTP_ROUTE_LATE: {
    message:
      'The route module "{module}" registers {what} after the start of the application. Register it before the function that was given to routes() ends, or await there what it waits for.',
    cause: 'A route is registered in a callback, or behind a promise that nobody waits for.',
    remedy: 'Make the function async, and await before the route is registered.',
  },
  FW_HTTP_THROWN_NOTHING: {
    message: 'A middleware or handler threw {value}. Throw an Error, so that it can be found.',
    cause: '`throw null`, `throw undefined` or a promise rejected without a reason.',
    remedy: 'Throw an Error.',
  },
  FW_HTTP_NOT_FOUND: {
    message: 'No route matches {method} {path}.',
    status: 404,
    cause: 'No route is registered for the path.',
    remedy: 'Check the path; `{fw} routes` prints every route.',
  },
  FW_HTTP_NO_ANSWER: {
    message: '{method} {path} has no answer: its handler returned undefined.',
    status: 404,
    cause:
      'The handler returned nothing and set neither a status nor a body; a missing `return` or `await` often is why.',
    remedy: 'Return a value, or null for 204, or declare `status: 204`.',
  },
  FW_HTTP_METHOD_NOT_ALLOWED: {
    message: '{path} does not answer {method}. It answers {allowed}.',
    status: 405,
    cause: 'The path has routes, but none for the method.',
    remedy: 'Use one of the methods in the Allow header.',
  },
  FW_HTTP_TWO_HOSTS: {
    message: 'The request names more than one host.',
    status: 400,
    cause: 'The Host header is there twice, or is a list.',
    remedy: 'Send one Host header.',
  },
  FW_HTTP_HOST: {
    message: 'The Host header of the request is no name or address of a host, with or without a port.',
    status: 400,
    cause: 'It has a blank, a slash, user information or other signs that a host cannot have (RFC 9112, section 3.2).',
    remedy: 'Send the authority of the URL, such as example.org:3000 or [::1]:3000; names in other letters as xn--...',
  },
  FW_HTTP_UPLOAD_STORAGE: {
    message: 'An uploaded file could not be stored in {folder}: {reason}',
    status: 500,
    cause: 'The folder is not there, cannot be written to, or its disk is full.',
    remedy: 'Make room, or set `uploadFolder` of the http plugin to a folder that the process may write to.',
  },
  FW_HTTP_FILE_NOT_FOUND: {
    message: 'There is no file at {path}.',
    status: 404,
    cause: 'The folder that is served has no such file, or the path leads out of it.',
    remedy: 'Check the path.',
  },
  FW_HTTP_PRECONDITION_FAILED: {
    message: 'A precondition of the request is not met: {path} is in another state than the client has seen.',
    status: 412,
    cause:
      'If-Match or If-Unmodified-Since names an old state, or If-None-Match the current one (RFC 9110, section 13.1).',
    remedy: 'Read it again, and repeat the change with the ETag of that answer.',
    guide: 'http.md#preconditions',
  },
  FW_HTTP_PRECONDITION_REQUIRED: {
    message: 'A change of {path} needs a precondition.',
    status: 428,
    cause: 'The route demands that a client says which state it has seen (RFC 6585, section 3).',
    remedy: 'Read it, and send the ETag of the answer in If-Match; to create, send If-None-Match: *.',
    guide: 'http.md#preconditions',
  },
  FW_HTTP_CONFLICT: {
    message: '{path} was changed by somebody else meanwhile.',
    status: 409,
    cause: 'The write found another state than the route had read before.',
    remedy: 'Read it again, and repeat the change.',
  },
  FW_HTTP_RANGE: {
    message: 'The range lies outside the file, which has {size} bytes.',
    status: 416,
    cause: 'The Range header asks for bytes behind the end of the file.',
    remedy: 'Ask for a range inside the file; Content-Range tells its size.',
  },
  FW_HTTP_STATIC_FOLDER: {
    message:
      'The folder {folder} that {prefix} should serve is not there. Expected a folder; create it, or correct the path.',
    cause: 'router.static names a folder that does not exist.',
    remedy: 'Create the folder, or give an absolute path: fileURLToPath(new URL("./public", import.meta.url)).',
  },
  FW_HTTP_UPGRADE_REQUIRED: {
    message: '{path} accepts WebSocket connections only.',
    status: 426,
    cause: 'An ordinary request was sent to a WebSocket route.',
    remedy: 'Connect with a WebSocket client.',
  },
  FW_HTTP_UPGRADE_REFUSED: {
    message: 'The request cannot be upgraded: {problem}.',
    status: 400,
    cause: 'The handshake is not that of RFC 6455, section 4.1.',
    remedy: 'Connect with a WebSocket client of version 13.',
  },
  FW_HTTP_ORIGIN_REFUSED: {
    message: 'Connections from this origin are not accepted.',
    status: 403,
    cause: 'A page of another origin opened the connection, and the option `origins` of the route does not list it.',
    remedy:
      'List the origin in `origins` of the route. Behind a proxy that replaces Host, list the proxy in `trustedProxies`; it has to send X-Forwarded-Host.',
  },
  FW_HTTP_POOL_FULL: {
    message: 'Too many requests wait for a worker. Try again.',
    status: 503,
    cause: 'All workers of the pool are busy and its queue is full.',
    remedy: 'Raise `workers.size` or `workers.queue` of the http plugin, or make the blocking handlers quicker.',
  },
  FW_HTTP_POOL_TIMEOUT: {
    message: 'The worker did not answer in time.',
    status: 504,
    cause: 'A blocking handler ran longer than `workers.timeout`; its thread was ended.',
    remedy: 'Make the handler quicker, or raise `workers.timeout` of the http plugin.',
  },
  FW_HTTP_FIRST_WORKER: {
    status: 503,
    message: 'The first worker, which answers this path, cannot be reached: {reason}.',
    clientMessage: 'This part of the service is starting again.',
    cause: 'Of several processes the first one runs the dashboard and the like, and it has ended or is starting again.',
    remedy: 'It is started again by itself; its log says why it ended.',
  },
  FW_HTTP_WORKER_SOURCE: {
    message:
      '{source} is TypeScript, and a thread runs JavaScript. Build the project, or install esbuild to run its sources.',
    cause:
      'A blocking handler is named by a TypeScript source, as under a test runner, and the project has no esbuild to make JavaScript of it.',
    remedy: 'Install esbuild as a development dependency, or name the built file.',
  },
  FW_HTTP_WORKER: {
    message: 'The blocking handler {handler} failed: {reason}',
    cause: 'The function threw, its module cannot be imported, or what it returned cannot be copied between threads.',
    remedy: 'See the log; the module must export the function by the name that is given.',
  },
  FW_HTTP_TARGET: {
    message: 'The request target is not one that this server answers: {problem}.',
    status: 400,
    cause:
      'The target of the request line is not a path, not an http URL of this host, or carries a fragment (RFC 9112, section 3.2).',
    remedy: 'Send a path that begins with "/", without a fragment.',
  },
  FW_HTTP_PATH_AMBIGUOUS: {
    message: 'The path of the request can be read in more than one way: {problem}.',
    status: 400,
    cause:
      'It has a dot segment, an empty segment, an encoded slash, a backslash or a NUL. Programs read those differently, so that what one of them has checked may be another path for the next.',
    remedy:
      'Send the path as it is meant. A route that takes %2F in a parameter as data says so: `encodedSlashes: true`.',
    guide: 'http.md#one-spelling-of-a-path',
  },
  FW_HTTP_PATH_MALFORMED: {
    message: 'The path of the request is not valid percent-encoding.',
    status: 400,
    cause: 'A "%" in the path is not followed by two hexadecimal digits, or the bytes are not UTF-8.',
    remedy: 'Encode path segments with encodeURIComponent.',
    guide: 'http.md#one-spelling-of-a-path',
  },
  FW_HTTP_BODY_MALFORMED: {
    message: 'The request body cannot be read as {type}: {problem}.',
    status: 400,
    cause: 'The body does not fit its Content-Type.',
    remedy: 'Send what the Content-Type says.',
  },
  FW_HTTP_BODY_ABORTED: {
    message: 'The request ended before its body was complete.',
    status: 400,
    cause: 'The client went away while it sent the body.',
    remedy: 'Nothing on this side; the client may try again.',
  },
  FW_HTTP_CLIENT_GONE: {
    message: 'The client went away before it had its response.',
    status: 499,
    cause: 'The connection was closed, or the request cancelled, while the handler ran; nobody sees this answer.',
    remedy: 'Nothing, when `ctx.signal` is what ended the work.',
  },
  FW_HTTP_BODY_TAKEN: {
    message:
      'The request body was read before the route could: {method} {path} declares an input body. Leave the body to the route, or let what reads it set `ctx.request.body` to the value.',
    status: 500,
    cause: 'A middleware consumed the stream of the request and did not say what was in it.',
    remedy: 'Remove the middleware, or use one such as @koa/bodyparser, which sets `ctx.request.body`.',
  },
  FW_HTTP_MIDDLEWARE: {
    message: 'http: {name} cannot run: {problem}. Expected a function of the context and `next`, as Koa has them.',
    cause:
      'A plugin or a route gives a middleware or a handler that could not run: one of Express, or a module that exports one by another name.',
    remedy:
      'Hand over the function: `handle: helmet()`, not `handle: helmet`; wrap a generator function by koa-convert, one of Express by koa-connect.',
    guide: 'middleware.md#a-koa-middleware-from-npm',
  },
  FW_HTTP_BODY_UNWRITABLE: {
    message: 'What {method} {path} answers cannot be written as JSON: {reason}. Return plain data.',
    status: 500,
    cause:
      'The handler returned an object that contains itself, a function or a symbol, its toJSON failed, or (outside of production) a value of which JSON keeps nothing: a map, a set, a generator, a promise, an error, an object with private data.',
    remedy:
      'Return an object of its own with the members that the client shall see: `[...set]`, `Object.fromEntries(map)`, `await promise`; a route whose `output` declares a list or an object has sets and maps written as such.',
  },
  FW_HTTP_ITEM: {
    message:
      'Item {at} of what the route streams is a value of type {got}. It cannot be sent there: expected text or bytes.',
    status: 500,
    cause:
      'The handler returned an iterable whose first items were text or bytes, or whose route declares an `output` that is no list.',
    remedy:
      'Declare `output: Type.Array(...)` for one JSON array, or none for lines of JSON; yield either text and bytes or values.',
  },
  FW_HTTP_HEAD_INVALID: {
    message: 'The status or a header of the answer to {method} {path} is not valid in HTTP: {reason}',
    status: 500,
    cause:
      'A handler or middleware has set a status, a status message or a header with signs that HTTP does not allow there (RFC 9110, section 5.5).',
    remedy: 'Encode what is put into headers, for example with encodeURIComponent.',
  },
  FW_HTTP_ERROR_UNWRITABLE: {
    message: 'An error could not be answered as a problem, because writing it failed as well: {reason}',
    status: 500,
    cause:
      'A middleware has set a header that Node refuses to send with every answer, or a logger or a getter of the error has thrown.',
    remedy: 'See the cause, which is printed as a warning of the process.',
  },
  FW_HTTP_NOT_READY: {
    message: 'The application should get no requests now: {reason}.',
    status: 503,
    cause:
      'Readiness was asked for while the application starts or stops, or while a database or broker of it does not answer.',
    remedy:
      'Ask again. What does not answer stands in the log, and in the answer for whoever may pass the doors of this machine (`openDoors`).',
    guide: 'run-in-production.md#health-checks',
  },
  FW_HTTP_BODY_TOO_LARGE: {
    message: 'The request body is larger than {limit} bytes.',
    status: 413,
    cause: 'The body exceeds the limit of the route or of the server.',
    remedy: 'Send less, or raise `bodyLimit` of the route or of the http plugin.',
  },
  FW_HTTP_TOO_MANY_FIELDS: {
    message: 'The form in the request body has more than {limit} fields.',
    status: 413,
    cause: 'The body is a form with more fields than the server takes.',
    remedy: 'Send fewer, or raise `fieldLimit` of the http plugin.',
  },
  FW_HTTP_QUERY_TOO_LONG: {
    message: 'The query has more than {limit} pairs.',
    status: 414,
    cause: 'The query has more pairs of name and value than the server takes.',
    remedy: 'Send them in a body, or raise `fieldLimit` of the http plugin.',
  },
  FW_HTTP_BODY_TOO_DEEP: {
    message: 'The request body is nested more than {limit} levels deep.',
    status: 400,
    cause: 'Lists and objects stand within each other deeper than the server takes.',
    remedy: 'Send a flatter value, or raise `depthLimit` of the http plugin.',
  },
  FW_HTTP_BODY_TYPE: {
    message: 'The request body is {found}, but this route reads {expected}.',
    status: 415,
    cause: 'The Content-Type or Content-Encoding of the request is missing or not supported.',
    remedy: 'Send one of the types that the message names.',
  },
  FW_HTTP_INPUT_SCHEMA: {
    message:
      'The input `{source}` of {method} {path} is no schema, or has a part that is none: {got}. Expected a schema such as Type.Object({ page: Type.Integer() }).',
    cause:
      'A group of `input`, or a member of it, is a number, a text, a class, or an object of members without `Type.Object` around it. It would let every request pass.',
    remedy: 'Write `query: Type.Object({ page: Type.Integer() })`.',
  },
  FW_HTTP_INPUT_BIGINT: {
    message:
      '{method} {path} declares a bigint in input.{source}, but JSON and URLs have text only. Declare text, Type.String({ pattern: "^-?[0-9]+$" }), and call BigInt on it in the handler.',
    cause: 'Type.BigInt() stands in the schema of an input; what arrives would be text all the same.',
    remedy: 'Declare text with a pattern and convert it.',
  },
  FW_HTTP_INPUT_PROTOTYPE: {
    message:
      '{method} {path} declares a property __proto__ in input.{source}. No request can bring one: members of this name are dropped, because they change the prototype of what they are copied into. Give it another name.',
    cause: 'A schema of an input has a property of the name __proto__.',
    remedy: 'Choose another name for the property.',
  },
  FW_HTTP_INPUT_DEFAULT: {
    message:
      '{method} {path} declares a default for the property {name} in input.{source}. It would never be filled in, because every object inherits a {name}. Leave the default out and set it in the handler, or give the property another name.',
    cause: 'A schema of an input has a default for a property such as toString or constructor.',
    remedy: 'Leave the default out, or choose another name for the property.',
  },
  FW_HTTP_INPUT_INVALID: {
    message: '{inputs} not valid; see errors.',
    status: 422,
    cause: 'Body, query, path parameters or headers do not fit the schemas of the route.',
    remedy: 'Correct the fields that `errors` lists.',
    guide: 'http.md#what-an-invalid-request-gets',
  },
});
