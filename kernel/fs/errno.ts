/** Whether a system call failed with a code, e.g. `ENOENT`. */
export function hasCode(error: unknown, ...codes: readonly string[]): boolean {
  return codes.includes((error as NodeJS.ErrnoException).code ?? '');
}

/** Whether an error comes from the operating system, such as EROFS or ENOENT. */
export function isSystemError(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).syscall !== undefined;
}

/** Whether this is what file systems without hard links (FAT, some network shares) say of one. */
export function lacksLinks(error: unknown): boolean {
  return hasCode(error, 'EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK');
}
