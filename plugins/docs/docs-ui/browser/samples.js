/** What a parameter or a body may look like: its example, its default, or a value of its type. */
function exampleOf(schema = {}, depth = 0) {
  const {
    example,
    examples,
    default: usual,
    enum: values,
    const: only,
    type,
    properties = {},
    items,
    anyOf,
    oneOf,
    allOf,
  } = schema;
  const given = example ?? examples?.[0] ?? only ?? usual ?? values?.[0];
  if (given !== undefined) return given;
  const [first] = anyOf ?? oneOf ?? allOf ?? [];
  if (first !== undefined && depth < 4) return exampleOf(first, depth + 1);
  if (type === 'integer' || type === 'number') return Math.max(schema.minimum ?? 1, 1);
  if (type === 'boolean') return true;
  if (type === 'array') return depth < 4 && items ? [exampleOf(items, depth + 1)] : [];
  if (type === 'object' || Object.keys(properties).length > 0) {
    const members = Object.entries(properties).filter(([, each]) => each.readOnly !== true);
    return depth < 4 ? Object.fromEntries(members.map(([name, each]) => [name, exampleOf(each, depth + 1)])) : {};
  }
  return schema.format === 'date-time' ? '2026-01-31T12:00:00Z' : 'string';
}

const JSON_TYPE = /^application\/(?:[\w.+-]*\+)?json\b/;

/**
 * One request of an operation, with examples in place of values.
 *
 * @param origin - of the server, without a slash at the end
 * @param operation - resolved, as plain data
 */
export function requestOf(origin, path, method, { parameters = [], requestBody, security = [] }) {
  const values = (place) =>
    parameters
      .filter((each) => each.in === place && (place === 'path' || each.required === true))
      .map(({ name, schema, example }) => [name, String(example ?? exampleOf(schema))]);
  const filled = values('path').reduce(
    (text, [name, value]) => text.replaceAll(`{${name}}`, encodeURIComponent(value)),
    path,
  );
  const query = new URLSearchParams(values('query')).toString();
  const type = Object.keys(requestBody?.content ?? {}).find((each) => JSON_TYPE.test(each));
  const body = type === undefined ? undefined : requestBody.content[type];
  return {
    method: method.toUpperCase(),
    origin,
    // The generated client names parameters as routes do.
    route: path.replace(/\{([^}]+)\}/g, ':$1'),
    params: Object.fromEntries(values('path')),
    query: Object.fromEntries(values('query')),
    url: `${origin}${filled}${query === '' ? '' : `?${query}`}`,
    headers: [
      ...values('header'),
      ...(security.length > 0 ? [['Authorization', 'Bearer <token>']] : []),
      ...(type === undefined ? [] : [['Content-Type', type]]),
    ],
    body: body === undefined ? undefined : (body.example ?? exampleOf(body.schema)),
  };
}

const quoted = (text) => `'${text.replaceAll("'", `'\\''`)}'`;

/** The method, for a terminal: with `-X HEAD`, curl would wait for a body. */
const methodForCurl = (method) => (method === 'GET' ? '' : method === 'HEAD' ? ' --head' : ` -X ${method}`);

/** For a terminal. */
export function curlOf({ method, url, headers, body }) {
  const parts = [
    `curl${methodForCurl(method)} ${quoted(url)}`,
    ...headers.map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    ...(body === undefined ? [] : [`--data ${quoted(JSON.stringify(body))}`]),
  ];
  return parts.join(' \\\n  ');
}

const indented = (text) => text.replaceAll('\n', '\n  ');

/** For a program, in Node.js or a browser. */
export function fetchOf({ method, url, headers, body }) {
  const options = [
    ...(method === 'GET' ? [] : [`method: '${method}',`]),
    ...(headers.length === 0 ? [] : [`headers: ${indented(JSON.stringify(Object.fromEntries(headers), null, 2))},`]),
    ...(body === undefined ? [] : [`body: JSON.stringify(${indented(JSON.stringify(body, null, 2))}),`]),
  ];
  // The one sign that may stand in a URL and would end the text.
  const address = `'${url.replaceAll("'", '%27')}'`;
  const call = options.length === 0 ? `fetch(${address})` : `fetch(${address}, {\n  ${options.join('\n  ')}\n})`;
  return `const response = await ${call};\nif (!response.ok) throw new Error(\`\${response.status} \${await response.text()}\`);\n${method === 'DELETE' || method === 'HEAD' ? '' : 'console.log(await response.json());'}`.trimEnd();
}

/** With the client that `fw generate client --out web/api.ts` writes. */
export function clientOf({ method, origin, route, params, query, headers, body }) {
  const isEmpty = (value) => value === undefined || Object.keys(value).length === 0;
  const token = headers.some(([name]) => name === 'Authorization');
  const setup = `{ baseUrl: '${origin}'${token ? ', headers: () => ({ authorization: `Bearer ${token()}` })' : ''} }`;
  const parts = [
    ...(isEmpty(params) ? [] : [`params: ${JSON.stringify(params)}`]),
    ...(isEmpty(query) ? [] : [`query: ${JSON.stringify(query)}`]),
    ...(body === undefined ? [] : [`body: ${JSON.stringify(body, null, 2)}`]),
  ];
  const given = parts.length === 0 ? '' : `, { ${parts.join(', ')} }`;
  return `import { createClient } from './api.js';\n\nconst api = createClient(${setup});\nconst answer = await api.${method.toLowerCase()}('${route}'${given});`;
}

/** Plugin of the viewer: every operation has its request as code, above its answers. */
export const codeSamples = ({ React }) => ({
  wrapComponents: {
    responses: (Original) =>
      function FwResponses(props) {
        const draw = React.createElement;
        const { path, method, specSelectors } = props;
        const operation = specSelectors.specResolvedSubtree(['paths', path, method])?.toJS() ?? {};
        const shared = specSelectors.specJson().get('security')?.toJS() ?? [];
        const origin = new URL(specSelectors.servers().getIn([0, 'url']) ?? '/', window.location.href).href.replace(
          /\/$/,
          '',
        );
        const request = requestOf(origin, path, method, { ...operation, security: operation.security ?? shared });
        const sample = (title, code) =>
          draw(
            'figure',
            { key: title },
            draw('figcaption', null, title, ' ', copyButton(draw, title, code)),
            draw('pre', { tabIndex: 0, 'aria-label': `${title} of this request` }, code),
          );
        return draw(
          React.Fragment,
          null,
          draw(
            'details',
            { className: 'fw-samples' },
            draw('summary', null, 'Code'),
            sample('curl', curlOf(request)),
            sample('fetch', fetchOf(request)),
            sample('fw client', clientOf(request)),
          ),
          draw(Original, props),
        );
      },
  },
});

function copyButton(draw, title, code) {
  const copy = () => void window.navigator.clipboard?.writeText(code);
  return draw('button', { type: 'button', className: 'fw-copy', 'aria-label': `Copy ${title}`, onClick: copy }, 'Copy');
}
