import { defineErrors } from '../errors/index.js';

export const FS_ERRORS = defineErrors('kernel/fs', {
  FW_PATH_ROOTS: {
    message: 'The folder "{root}" cannot be worked in: {problem}. Expected an existing directory.',
    status: 404,
    cause: 'A root is blank, does not exist, is a file, or cannot be read.',
    remedy: 'Name an existing directory as the root, e.g. with --workspace.',
  },
  FW_PATH_MALFORMED: {
    message: 'The path {path} is refused: {problem}. Give a plain path, absolute or relative to {base}.',
    status: 400,
    cause: 'The path is a URL, a network share, begins with a tilde, or contains a NUL character.',
    remedy: 'Write the path as the file system knows it.',
  },
  FW_PATH_OUTSIDE: {
    message: 'The path {path} is outside every permitted root. Permitted: {roots}.',
    status: 403,
    cause: 'The path is absolute and elsewhere, or climbs out with ../ (SPEC "Path confinement rules", rule 1).',
    remedy: 'Give a path inside a permitted root, or start the server with another --workspace.',
  },
  FW_PATH_SYMLINK: {
    message: 'The path {path} leads out of the permitted roots through the symbolic link {link}. Permitted: {roots}.',
    status: 403,
    cause: 'A link inside a root points elsewhere (SPEC "Path confinement rules", rule 2).',
    remedy: 'Give a path that does not go through the link, or permit the directory that it points to as a root.',
  },
  FW_PATH_JUNCTION: {
    message: 'The path {path} goes through the link or junction {link}, which is not followed. Permitted: {roots}.',
    status: 403,
    cause: 'A component of the path is a junction or another reparse point (SPEC "Path confinement rules", rule 3).',
    remedy: 'Give the path of the directory itself.',
  },
  FW_PATH_DANGLING: {
    message: 'The path {path} goes through {link}, a symbolic link to something that does not exist. Remove the link.',
    status: 403,
    cause: 'What would be written through such a link would be made wherever it points.',
    remedy: 'Remove the link, or make what it points to.',
  },
  FW_PATH_UNRESOLVED: {
    message: 'The path {path} cannot be followed: {problem}. Permitted: {roots}.',
    status: 403,
    cause: 'Links form a loop, a part of the path is a file, a name is too long, or a directory may not be read.',
    remedy: 'Correct the part of the path that the message names.',
  },
  FW_PATH_CHANGED: {
    message:
      'The path {path} led elsewhere when it was checked. Somebody changed a directory or link on the way: try again.',
    status: 409,
    cause: 'Between the check of a path and its use, a component was replaced.',
    remedy: 'Repeat the call.',
  },
  FW_FILE_NOT_FOUND: {
    message: 'There is no file {path}. Expected an existing file.',
    status: 404,
    cause: 'The file does not exist, was removed, or its name is misspelt.',
    remedy: 'Name a file that exists.',
  },
  FW_FILE_READ: {
    message: 'The file {path} could not be read: {reason}. Expected a file that this process may read.',
    cause: 'The file or its directory may not be read, or the disk failed.',
    remedy: 'Mend what the reason names; the cause is attached to the error.',
  },
  FW_FILE_WRITE: {
    message: 'The file {path} could not be written: {reason}. What stood there before is untouched.',
    cause: 'The directory does not exist or may not be written to, or the disk is full.',
    remedy: 'Mend what the reason names; the cause is attached to the error.',
  },
  FW_FILE_KIND: {
    message: 'The file {path} is {found}. Expected a regular file.',
    status: 409,
    cause: 'A directory, symbolic link, pipe, socket or device stands where a file was expected.',
    remedy: 'Name a regular file, or remove what stands in its place.',
  },
  FW_FILE_TOO_LARGE: {
    message: 'The file {path} is larger than {maxBytes} bytes, which is the most that is read here.',
    status: 413,
    cause: 'The file is larger than its reader takes.',
    remedy: 'Name a smaller file.',
  },
  FW_FILE_NOT_TEXT: {
    message: 'The file {path} is not UTF-8 text. Save it as UTF-8, or name another file.',
    status: 422,
    cause: 'The file is binary or in another encoding.',
    remedy: 'Save the file as UTF-8.',
  },
  FW_LOCK_TIMEOUT: {
    message:
      'Somebody else works in {directory} and did not finish within {timeoutMs} ms (claims: {claims}). Try again.',
    status: 409,
    cause: 'Two servers or commands change the same project at the same time.',
    remedy: 'Wait for the other one, or end it.',
  },
  FW_LOCK_DIRECTORY: {
    message: 'The directory {directory} cannot be locked: {reason}. Expected a directory that may be written to.',
    status: 409,
    cause: 'The lock is a file below .fw/ in the directory, and it could not be made there.',
    remedy: 'Make the directory writable for the user that fw runs as.',
  },
  FW_STATE_FOLDER: {
    message: 'There is no folder for what fw keeps outside projects: {reason}. Set FW_MCP_STATE_DIR to one.',
    status: 409,
    cause: 'The user has no home directory, as in containers that run with a number that no user has.',
    remedy: 'Set FW_MCP_STATE_DIR, or HOME, to a folder that this user may write to.',
  },
  FW_JOURNAL_PENDING: {
    message:
      'A write of {at} was interrupted ({files}), so that some of it may stand and some not. The next command that writes, such as fw codegen, puts it right; this one only reads. Journal: {journal}.',
    status: 409,
    cause: 'A command or server was killed, or the machine failed, while it was writing several files.',
    remedy: 'Run `{fw} codegen` in the project, or any tool that writes; it says what became of the write.',
  },
  FW_JOURNAL_DUE: {
    message:
      'A write of {at} ({files}) stands, but was interrupted before {what}. The next command that writes, such as fw codegen, goes on with it; this one only reads. Journal: {journal}.',
    status: 409,
    cause:
      'A command or server was killed, or the machine failed, after it had written files and before it had made others of them.',
    remedy: 'Run `{fw} codegen` in the project, or any tool that writes; it says what it did.',
  },
  FW_JOURNAL_FOREIGN: {
    message:
      '{journal} says that a write was interrupted, but it was not made for this folder by this user on this machine, so nothing was touched. Look at the files, and delete it.',
    status: 409,
    cause:
      'The folder was copied or moved, came from elsewhere, or was written to by another user, by a machine without a state folder, or before the key in the state folder was lost.',
    remedy:
      'Restore the files from version control when they are half changed, and delete the journal. In containers, keep FW_MCP_STATE_DIR in a volume.',
  },
  FW_FOLDER_EXISTS: {
    message: 'There is something at {path} already. Expected a name that nothing has yet.',
    status: 409,
    cause: 'A new folder cannot take the place of what is there.',
    remedy: 'Choose another name, or remove what is there.',
  },
  FW_FOLDER_UNMADE: {
    message: 'The folder {path} could not be made: {reason}. Expected a directory that may be written to.',
    status: 409,
    cause: 'The directory around it does not exist or may not be written to, or the disk is full.',
    remedy: 'Mend what the reason names; the cause is attached to the error.',
  },
  FW_CHANGESET_FULL: {
    message: 'The change set cannot take {path}: it would hold more than {limit}. Commit it, or open another one.',
    status: 413,
    cause: 'A change set lives in memory and is bounded.',
    remedy: 'Commit what is there and go on in a new change set.',
  },
  FW_CHANGESET_CLOSED: {
    message: 'The change set over {root} is already {how}. Open a new one.',
    status: 409,
    cause: 'A change set is committed or discarded once.',
    remedy: 'Open a new change set.',
  },
  FW_CHANGESET_OVERLAP: {
    message:
      'The change set over {root} holds the file {file} and {below}, which cannot both be. Delete one of the two.',
    status: 409,
    cause: 'A file was staged where another staged file needs a directory.',
    remedy: 'Delete one of the two in the change set and commit again.',
  },
  FW_CHANGESET_CONFLICT: {
    message:
      'Nothing was written: {files} changed in {root} after the change set had read it. Look at them and stage again.',
    status: 409,
    cause: 'Somebody edited, made or removed a file that the change set builds on.',
    remedy: 'Discard the change set, look at the files, and stage the calls again.',
  },
  FW_CHANGESET_COMMIT: {
    message: 'Nothing was changed: writing {path} failed ({reason}), and what had been written was put back.',
    status: 500,
    cause: 'The disk is full, a directory may not be written to, or a directory stands where a file should.',
    remedy: 'Mend what the reason names and commit again; the change set is still open.',
  },
  FW_CHANGESET_ROLLBACK: {
    message:
      'Writing {path} failed ({reason}), and these could not be put back: {broken}. The next command that writes tries again.',
    status: 500,
    cause: 'The disk or its permissions changed while a change set was being written.',
    remedy:
      'Mend what the reason names and run `{fw} codegen`, which puts back what the journal in .fw/journal still holds.',
  },
});
