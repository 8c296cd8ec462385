export { ChangeSet, type ChangeSetLimits } from './change-set.js';
export { confinePath, reconfine, resolvePath, type ConfinedPath, type ConfineOptions } from './confine-path.js';
export { digestOf } from './digest.js';
export { FS_ERRORS } from './errors.js';
export { withFileLock, type LockOptions } from './file-lock.js';
export { readBoundedFile, readTextFile, type FileContent, type ReadOptions } from './read-file.js';
export { isInside, openRoots, type Root } from './roots.js';
export type { FileChange, FileConflict } from './staged-file.js';
export { writeFileAtomically, type FileAttributes } from './write-file-atomically.js';
