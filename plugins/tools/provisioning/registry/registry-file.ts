import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import {
  fwError,
  isFwError,
  readTextFile,
  type Static,
  Type,
  validatorOf,
  withFileLock,
  writeFileAtomically,
} from '../../../../kernel/index.js';
import { Integer, optional, Text } from '../../../../kernel/schema/index.js';
import { PROVISIONING_ERRORS } from '../errors.js';

const Port = Type.Integer({ minimum: 1, maximum: 65_535 });
const Ports = Type.Object(
  { control: Port, app: Port, appMcp: optional(Port), aggregator: optional(Port) },
  { additionalProperties: false },
);

/** A provisioned service, without tokens. */
export const RegistryEntry = Type.Object(
  {
    service_name: Type.String({ minLength: 1 }),
    container_id: Text,
    container_name: Text,
    host: Text,
    ports: Ports,
    image: Text,
    network: optional(Text),
    created_at: Text,
  },
  { additionalProperties: false },
);
export type RegistryEntry = Static<typeof RegistryEntry>;

/** A running call: it reserves names and ports until its services are registered. */
export const Reservation = Type.Object(
  {
    call: Text,
    pid: Integer,
    hostname: Text,
    since: Text,
    network: optional(Text),
    services: Type.Array(
      Type.Object({ service_name: Text, container_name: Text, ports: Ports }, { additionalProperties: false }),
    ),
  },
  { additionalProperties: false },
);
export type Reservation = Static<typeof Reservation>;

/** What the file holds. */
export const RegistryContent = Type.Object(
  { version: Type.Literal(1), services: Type.Array(RegistryEntry), reservations: Type.Array(Reservation) },
  { additionalProperties: false },
);
export type RegistryContent = Static<typeof RegistryContent>;

const FILE = 'fw-mcp-provisioned.json';
const MAX_BYTES = 8 * 1024 * 1024;

/**
 * The list of provisioned services, which all servers of a user share. It is read and written as a whole under a lock, and only the owner
 * can read it. Only listed containers may be removed, so a damaged list is an error and not an empty list.
 */
export class RegistryFile {
  readonly path: string;

  constructor(private readonly folder: string) {
    this.path = path.join(folder, FILE);
  }

  /** @throws FwError `FW_PROVISION_REGISTRY` */
  async read(): Promise<RegistryContent> {
    const text = await readTextFile(this.path, { maxBytes: MAX_BYTES }).catch((error: unknown) => {
      if (isFwError(error) && error.code === 'FW_FILE_NOT_FOUND') return undefined;
      throw this.#unusable((error as Error).message, error);
    });
    if (text === undefined) return { version: 1, services: [], reservations: [] };
    const content = this.#parsed(text);
    const [issue] = validatorOf(RegistryContent).check(content);
    if (issue) throw this.#unusable(`${issue.path || 'the whole'} ${issue.message}`);
    return content as RegistryContent;
  }

  /**
   * Changes the list under the lock.
   * @param change - changes what it is given; what it returns is the result
   * @throws FwError `FW_PROVISION_REGISTRY`, `FW_LOCK_TIMEOUT`, and whatever `change` throws, with nothing written then
   */
  async change<Result>(change: (content: RegistryContent) => Result | Promise<Result>): Promise<Result> {
    await mkdir(this.folder, { recursive: true, mode: 0o700 }).catch((error: unknown) => {
      throw this.#unusable((error as Error).message, error);
    });
    return withFileLock(this.folder, async () => {
      const content = await this.read();
      const result = await change(content);
      content.services.sort((a, b) => (a.service_name < b.service_name ? -1 : 1));
      await writeFileAtomically(this.path, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600 });
      return result;
    });
  }

  #parsed(text: string): unknown {
    try {
      return JSON.parse(text);
    } catch (error) {
      throw this.#unusable((error as Error).message, error);
    }
  }

  #unusable(problem: string, cause?: unknown): Error {
    return fwError(PROVISIONING_ERRORS.FW_PROVISION_REGISTRY, { path: this.path, problem }, { cause });
  }
}
