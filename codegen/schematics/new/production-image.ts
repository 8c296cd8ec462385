import { dockerfileText } from './dockerfile-text.js';

/** Facts for the image of an application. */
export interface ImageFacts {
  readonly port: number;
  /** Place of the database, if it is a file. */
  readonly database?: { readonly variable: string; readonly file: string } | undefined;
}

/** Volume for data that has to be kept. */
const DATA = '/data';
/** A number, because Kubernetes can tell only numbers from root. */
const USER = '1000:1000';

// Credentials of a private registry: they are there while this step runs, and in no layer of the image. Without the secret the file is absent.
const NPM_SECRET = '--mount=type=secret,id=npmrc,target=/root/.npmrc';

// The Node release on which the project was made: native drivers were chosen for it, and no version of one runs on every release.
const RELEASE = process.versions.node.split('.')[0];

// Without curl, which small images lack. It checks that the process answers, not that it is ready: an unreachable database must not make a
// supervisor restart the container.
const PROBE =
  "fetch('http://127.0.0.1:'+process.env.PORT+'/livez').then(({ok})=>process.exit(ok?0:1),()=>process.exit(1))";

/**
 * The Dockerfile of an application: one stage installs and bundles, the other one has Node and the bundle. The first one is larger, and has
 * a compiler for native packages.
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
          ['COPY', 'package.json package-lock.json .npmrc* ./'],
          ['COPY', 'vendor vendor'],
          ['RUN', `${NPM_SECRET} ${JSON.stringify(['npm', 'ci', '--no-audit', '--no-fund'])}`],
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
      ['ARG', `BUILD_IMAGE=docker.io/library/node:${RELEASE}`],
      ['ARG', `RUN_IMAGE=docker.io/library/node:${RELEASE}-slim`],
    ],
  );
}

/** Files that an image does not contain: those that are built in it, secrets, and tests. */
export const DOCKERIGNORE = `${[
  ...['.git', '.fw', 'node_modules', 'dist', 'coverage', 'tests', 'bench', '*.log'],
  ...['.env', '.env.local', '.env.*.local', 'Dockerfile', '.dockerignore'],
].join('\n')}\n`;
