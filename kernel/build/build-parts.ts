import { contributionError, loadContribution, roomManifests } from '../manifests/index.js';

/** What a room of the framework adds to `fw build`: the default export of the module that `build` of its fw.json names. */
export interface BuildPart {
  /** Files that are written to dist/ besides the compiled ones. */
  outputs?(root: string): Promise<readonly AddedOutput[]>;
  /**
   * The tsconfig.json that applies to a file, in a project of several.
   *
   * @param config - one that has `references`
   * @param sample - a file of the project; absolute paths, both
   */
  settingsFor?(config: string, sample: string | undefined): Promise<string | undefined>;
}

/** A file to write into dist/. */
interface AddedOutput {
  /** Relative to the project, with forward slashes. */
  readonly path: string;
  readonly text: string;
}

/** The parts of all rooms; loaded lazily, since only a build needs them. */
export async function buildParts(): Promise<readonly BuildPart[]> {
  const rooms = (await roomManifests()).flatMap((by) =>
    by.manifest.build === undefined ? [] : [{ by, field: 'build', module: by.manifest.build }],
  );
  return Promise.all(
    rooms.map(async (each) => {
      const part = await loadContribution(each);
      if (typeof part !== 'object' || part === null) throw contributionError(each, 'its default export is no object');
      return part as BuildPart;
    }),
  );
}
