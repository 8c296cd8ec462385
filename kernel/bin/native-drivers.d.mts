/** A database driver with native code. */
export interface NativeDriver {
  /** npm package. */
  readonly name: string;
  /** Release that runs on the Node in question. */
  readonly version: string;
  /** Whether that release is compiled when it is installed. */
  readonly compiles: boolean;
}

/** The database drivers with native code, and the release of each that runs on a Node. */
export function nativeDrivers(versions?: { readonly napi?: string }): readonly NativeDriver[];
