import { ParlorError, type ParlorErrorOptions, UsageError } from '../shared/index.js';

/** A record could not be kept: a full disk, a closed file, an event that does not fit the schema. */
export class RecordError extends ParlorError {
  constructor(message: string, options: ParlorErrorOptions = {}) {
    super('record-failed', message, options);
  }
}

/** The run folder cannot be used: not a folder, or not to be read or written. */
export class RunFolderError extends UsageError {
  constructor(message: string, options: ParlorErrorOptions = {}) {
    super('run-folder-unusable', message, options);
  }
}

/** Another process writes into the folder. */
export class FolderInUseError extends UsageError {
  constructor(dir: string, lock: string, holder: { readonly pid?: number; readonly host?: string }) {
    const { pid, host } = holder;
    const who = pid === undefined ? 'another process' : `process ${pid} on ${host}`;
    super(
      'folder-in-use',
      `${dir} is in use by ${who}; give another folder, or stop that process (one that was killed on another machine or in another container lets go after half a minute; ${lock} in the folder is its lock)`,
      { facts: { dir, ...holder } },
    );
  }
}

/** What should be imported is not there, is of no known format, or would be counted twice. */
export class ImportError extends UsageError {
  constructor(message: string, options: ParlorErrorOptions = {}) {
    super('import-failed', message, options);
  }
}
