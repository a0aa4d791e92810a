import type { ErrorFields } from './protocol';

/** The engine refused a statement. */
export class EngineError extends Error {
  /** Five characters, PostgreSQL's or the extension's own (M...). */
  readonly sqlstate: string;
  readonly detail: string;

  constructor({ sqlstate, message, detail }: ErrorFields) {
    super(message);
    this.name = 'EngineError';
    this.sqlstate = sqlstate;
    this.detail = detail;
  }
}

/** The connection to the engine ended, or could not be made: what was in flight may or may not have happened. */
export class ConnectionLost extends Error {
  constructor(reason: string) {
    super(`Lost the database engine: ${reason}`);
    this.name = 'ConnectionLost';
  }
}
