import { dockerfileText } from '../../../../codegen/schematics/index.js';
import { CONTAINER_PORTS } from '../runtime/container-ports.js';

const CONTAINER = '/workspace/node_modules/fw/dist/plugins/tools/provisioning/container';
const USER = '1000:1000';

/** Folders of a build context. */
interface ContextFolders {
  readonly dependencies: string;
  readonly project: string;
}

/**
 * The Dockerfile of a service. It contains the operator's base image and nothing from a request. The dependencies are a separate layer,
 * which services share. No step needs a network or a shell, unless native code must be compiled.
 */
export function dockerfile(baseImage: string, { dependencies, project }: ContextFolders): string {
  return dockerfileText([
    {
      from: baseImage,
      steps: [
        ['LABEL', 'fw.image=provisioned'],
        ['COPY', `--chown=${USER} ${dependencies}/ /`],
        ['RUN', ['node', `${CONTAINER}/prepare-image.js`]],
        ['COPY', `--chown=${USER} ${project}/ /`],
        ['WORKDIR', '/workspace'],
        ['ENV', 'NODE_ENV=production HOME=/workspace'],
        ['USER', USER],
        ['EXPOSE', `${CONTAINER_PORTS.app} ${CONTAINER_PORTS.control}`],
        ['ENTRYPOINT', ['/init', 'node', `${CONTAINER}/entrypoint.js`]],
      ],
    },
  ]);
}
