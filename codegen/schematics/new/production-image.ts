import { dockerfileText } from './dockerfile-text.js';

/** What the image of an application is made with. */
export interface ImageFacts {
  readonly port: number;
  /** Where the database is kept, when it is a file. */
  readonly database?: { readonly variable: string; readonly file: string } | undefined;
}

/** Where what must stay is kept: a volume. */
const DATA = '/data';
/** By its number, which Kubernetes can tell from root's. */
const USER = '1000:1000';

// Without curl, which small images lack. Whether the process answers, and not whether it is ready: who restarts what is unhealthy must not
// do so because a database is away.
const PROBE =
  "fetch('http://127.0.0.1:'+process.env.PORT+'/livez').then(({ok})=>process.exit(ok?0:1),()=>process.exit(1))";

/**
 * The Dockerfile of an application: one stage installs and bundles, the other one has Node and the bundle. The first one is larger, and has
 * a compiler for what is native.
 */
export function productionDockerfile({ port, database }: ImageFacts): string {
  const variables = { NODE_ENV: 'production', HOST: '0.0.0.0', PORT: String(port), ...(database && { [database.variable]: `${DATA}/${database.file}` }) }; // prettier-ignore
  return dockerfileText(
    [
      {
        from: '${BUILD_IMAGE}',
        as: 'build',
        steps: [
          ['WORKDIR', '/build'],
          ['COPY', 'package.json package-lock.json ./'],
          ['COPY', 'vendor vendor'],
          ['RUN', ['npm', 'ci', '--no-audit', '--no-fund']],
          ['COPY', '. .'],
          ['RUN', ['npm', 'run', 'bundle']],
          ['RUN', ['mkdir', DATA]],
        ],
      },
      {
        from: '${RUN_IMAGE}',
        steps: [
          [
            'ENV',
            Object.entries(variables)
              .map(([name, value]) => `${name}=${value}`)
              .join(' '),
          ],
          ['WORKDIR', '/app'],
          ['COPY', '--from=build /build/dist/bundle ./'],
          ['COPY', `--from=build --chown=${USER} ${DATA} ${DATA}`],
          ['USER', USER],
          ['VOLUME', [DATA]],
          ['EXPOSE', String(port)],
          [
            'HEALTHCHECK',
            `--interval=30s --timeout=5s --start-period=30s CMD ${JSON.stringify(['node', '-e', PROBE])}`,
          ],
          ['CMD', ['node', 'start.js']],
        ],
      },
    ],
    [
      ['ARG', 'BUILD_IMAGE=docker.io/library/node:24'],
      ['ARG', 'RUN_IMAGE=docker.io/library/node:24-slim'],
    ],
  );
}

/** What an image is not made from: what is made in it, what is secret, and what only tests. */
export const DOCKERIGNORE = `${[
  ...['.git', '.fw', 'node_modules', 'dist', 'coverage', 'tests', 'bench', '*.log'],
  ...['.env', '.env.local', '.env.*.local', 'Dockerfile', '.dockerignore'],
].join('\n')}\n`;
