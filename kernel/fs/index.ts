export { againOnConflict } from './again-on-conflict.js';
export { CacheFile } from './cache-file.js';
export { ChangeSet, type ChangeSetLimits, type CommitOptions, type FollowUp } from './change-set.js';
export { confinePath, reconfine, resolvePath, type ConfinedPath, type ConfineOptions } from './confine-path.js';
export { digestOf } from './digest.js';
export { isSystemError } from './errno.js';
export { FileDigests } from './file-digests.js';
export { withFileLock, type LockOptions } from './file-lock.js';
export {
  type FollowedUp,
  type InterruptedWrite,
  interruptedWrites,
  recoverWrites,
  type RecoverOptions,
} from './recover.js';
export { recordedRecoveries, recordRecoveries } from './recovery-record.js';
export type { LeftFile } from './repair.js';
export { stateFolder } from './state-folder.js';
export { changesIn } from './project-changes.js';
export { fileAbove, foldersAbove } from './folders-above.js';
export { CONFIG_FILE, projectRoot } from './project-root.js';
export { fillNewFolder } from './new-folder.js';
export { readBoundedFile, readTextFile, type FileContent, type ReadOptions } from './read-file.js';
export { openRoots, type Root } from './roots.js';
export type { FileChange, FileConflict } from './staged-file.js';
export { writeFileAtomically, type FileAttributes } from './write-file-atomically.js';
export { identityOf, isPidTaken, livenessOf, ownIdentity, type ProcessIdentity } from './process-identity.js';
export { NPM, PACKAGE_MANAGERS, packageManagerOf, type PackageManager } from './package-manager.js';
