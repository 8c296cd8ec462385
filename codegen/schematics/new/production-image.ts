import { minVersion, validRange } from 'semver';
import { NPM, PACKAGE_MANAGERS } from '../../../kernel/fs/index.js';
import { dockerfileText } from './dockerfile-text.js';

/** Facts for the image of an application. */
export interface ImageFacts {
  readonly port: number;
  /** Place of the database, if it is a file. */
  readonly database?: { readonly variable: string; readonly file: string } | undefined;
  /** Releases of Node that the application runs on, as package.json says it: `>=24`. */
  readonly node: string;
}

/** Volume for data that has to be kept. */
const DATA = '/data';
/** A number, because Kubernetes can tell only numbers from root. */
const USER = '1000:1000';

/** What decides how packages are installed, and which. A name with an asterisk may be absent. */
const INSTALLED_BY = [
  'package.json',
  ...[...PACKAGE_MANAGERS.flatMap(({ files }) => files), '.npmrc', '.yarnrc', 'pnpm-workspace.yaml'].map(
    (file) => `${file}*`,
  ),
];

// The lock file decides as the image is built, since a project has none yet when this is written.
const INSTALL = `if ${PACKAGE_MANAGERS.filter(({ command }) => command !== 'npm')
  .map(({ files, exactly }) => `${files.map((file) => `[ -f ${file} ]`).join(' || ')}; then ${exactly}; \\\n`)
  .join('  elif ')}  else ${NPM.exactly}; fi`;

// Credentials of a private registry: they are there while this step runs, and in no layer of the image. Without the secret the file is absent.
const NPM_SECRET = '--mount=type=secret,id=npmrc,target=/root/.npmrc';

/** The oldest release line of Node that still gets fixes. */
const OLDEST_KEPT = 22;

/**
 * The release line of Node in the image: the one on which the project is made, because native drivers were chosen for it and its tests run on
 * it. Where that is not kept for years, as lines with odd numbers are not, or the application needs a newer one, it is the next that will do.
 */
function imageRelease(needed: string, own = process.versions.node): number {
  // Other tools take words there, too, such as `lts`.
  const lowest = minVersion(validRange(needed) ?? '*')?.major ?? 0;
  const least = Math.max(Number.parseInt(own), OLDEST_KEPT, lowest);
  return least + (least % 2);
}

// Without curl, which small images lack. It checks that the process answers, not that it is ready: an unreachable database must not make a
// supervisor restart the container.
const PROBE =
  "fetch('http://127.0.0.1:'+process.env.PORT+'/livez').then(({ok})=>process.exit(ok?0:1),()=>process.exit(1))";

/**
 * The Dockerfile of an application: one stage installs and bundles, the other one has Node and the bundle. The first one is larger, and has
 * a compiler for native packages.
 *
 * @param own - Node that the project is made on; default this one
 */
export function productionDockerfile({ port, database, node }: ImageFacts, own?: string): string {
  const release = imageRelease(node, own);
  const variables = { NODE_ENV: 'production', HOST: '0.0.0.0', PORT: String(port), ...(database && { [database.variable]: `${DATA}/${database.file}` }) }; // prettier-ignore
  return dockerfileText(
    [
      {
        from: '${BUILD_IMAGE}',
        as: 'build',
        steps: [
          ['WORKDIR', '/build'],
          ['COPY', `${INSTALLED_BY.join(' ')} ./`],
          ['COPY', 'vendor vendor'],
          ['RUN', `${NPM_SECRET} \\\n  ${INSTALL}`],
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
      ['ARG', `BUILD_IMAGE=docker.io/library/node:${release}`],
      ['ARG', `RUN_IMAGE=docker.io/library/node:${release}-slim`],
    ],
  );
}

/** Files that an image does not contain: those that are built in it, secrets, and tests. */
export const DOCKERIGNORE = `${[
  ...['.git', '.fw', 'node_modules', 'dist', 'coverage', 'tests', 'bench', '*.log'],
  ...['.env', '.env.local', '.env.*.local', 'Dockerfile', '.dockerignore'],
].join('\n')}\n`;
