import net from 'node:net';
import { ConnectionLost, EngineError } from './failure';
import {
  bindExecuteMessage,
  type Column,
  cancelMessage,
  MessageSplitter,
  type Parameter,
  parseMessage,
  readError,
  readRow,
  SYNC,
  startupMessage,
  TERMINATE,
} from './protocol';

/** Where the engine listens. */
export type EngineAddress = { path: string } | { host: string; port: number };

/** One SQL statement; a `name` keeps it prepared on the connection. */
export interface Statement {
  name: string;
  sql: string;
  parameters: readonly Parameter[];
}

/** Rows of one statement. */
export type Rows = Column[][];

interface Exchange {
  results: Rows[];
  rows: Rows;
  parsing: string[];
  error: EngineError | null;
  resolve(results: Rows[]): void;
  reject(error: Error): void;
}

const AUTHENTICATION_OK = 0;
const STATUS_IDLE = 'I'.charCodeAt(0);
const DATA_ROW = 'D'.charCodeAt(0);
const COMPLETE = 'C'.charCodeAt(0);
const EMPTY = 'I'.charCodeAt(0);
const ERROR = 'E'.charCodeAt(0);
const READY = 'Z'.charCodeAt(0);
const PARSED = '1'.charCodeAt(0);
const AUTHENTICATION = 'R'.charCodeAt(0);
const KEY = 'K'.charCodeAt(0);

/**
 * A connection to the engine that pipelines: statements of one exchange travel together and are answered together.
 * It speaks binary both ways, so that BSON passes through untouched.
 */
export class EngineConnection {
  private readonly splitter = new MessageSplitter();
  private readonly exchanges: Exchange[] = [];
  private readonly prepared = new Set<string>();
  private onReady: { resolve(): void; reject(error: Error): void } | null = null;
  private processId = 0;
  private secret = 0;
  private status = STATUS_IDLE;
  /** Why the connection is unusable; null while it lives. */
  lost: Error | null = null;

  private constructor(
    private readonly address: EngineAddress,
    private readonly socket: net.Socket,
  ) {
    socket.on('data', (chunk) => this.receive(chunk));
    socket.on('error', (error) => this.fail(new ConnectionLost(error.message)));
    socket.on('close', () => this.fail(new ConnectionLost('the engine closed the connection')));
  }

  /**
   * @param settings server parameters by name, `user` and `database` among them
   * @throws ConnectionLost when the engine cannot be reached, EngineError when it refuses
   */
  static async connect(
    address: EngineAddress,
    settings: Record<string, string>,
  ): Promise<EngineConnection> {
    const socket = net.connect(address);
    socket.setNoDelay(true);
    const connection = new EngineConnection(address, socket);
    await new Promise<void>((resolve, reject) => {
      connection.onReady = { resolve, reject };
      socket.once('connect', () => socket.write(startupMessage(settings)));
    });
    return connection;
  }

  /** Whether the server is outside of any transaction. */
  get idle(): boolean {
    return this.status === STATUS_IDLE && this.exchanges.length === 0 && !this.lost;
  }

  /**
   * Sends statements as one exchange: an error skips those after it.
   * @returns the rows of each statement
   * @throws EngineError | ConnectionLost
   */
  run(statements: readonly Statement[]): Promise<Rows[]> {
    if (this.lost) return Promise.reject(this.lost);
    return new Promise((resolve, reject) => {
      const exchange: Exchange = {
        results: [],
        rows: [],
        parsing: [],
        error: null,
        resolve,
        reject,
      };
      this.exchanges.push(exchange);
      this.socket.cork();
      for (const statement of statements) this.send(statement, exchange);
      this.socket.write(SYNC);
      this.socket.uncork();
    });
  }

  /** Asks the server to cancel the running statement; resolves when the request was delivered or has failed. */
  cancel(): Promise<void> {
    return new Promise((resolve) => {
      const socket = net.connect(this.address);
      socket.on('connect', () => socket.end(cancelMessage(this.processId, this.secret)));
      socket.on('error', () => resolve());
      socket.on('close', () => resolve());
    });
  }

  /** Closes the connection; the server rolls back what is open. */
  close(): void {
    if (!this.lost) this.socket.end(TERMINATE);
    this.fail(new ConnectionLost('the gateway closed the connection'));
  }

  private send({ name, sql, parameters }: Statement, exchange: Exchange): void {
    if (!name || !this.prepared.has(name)) {
      this.socket.write(parseMessage(name, sql));
      exchange.parsing.push(name);
      if (name) this.prepared.add(name);
    }
    this.socket.write(bindExecuteMessage(name, parameters));
  }

  private receive(chunk: Buffer): void {
    for (const { type, body } of this.splitter.push(chunk)) this.handle(type, body);
  }

  private handle(type: number, body: Buffer): void {
    const exchange = this.exchanges[0];
    if (type === DATA_ROW) exchange?.rows.push(readRow(body));
    else if (type === COMPLETE || type === EMPTY) this.completeStatement(exchange);
    else if (type === PARSED) exchange?.parsing.shift();
    else if (type === ERROR) this.refuse(exchange, new EngineError(readError(body)));
    else if (type === READY) this.ready(body[0] as number);
    else if (type === AUTHENTICATION) this.checkAuthentication(body.readInt32BE(0));
    else if (type === KEY)
      [this.processId, this.secret] = [body.readInt32BE(0), body.readInt32BE(4)];
  }

  private completeStatement(exchange: Exchange | undefined): void {
    if (!exchange) return;
    exchange.results.push(exchange.rows);
    exchange.rows = [];
  }

  private refuse(exchange: Exchange | undefined, error: EngineError): void {
    if (!exchange) {
      this.fail(error);
      return;
    }
    exchange.error ??= error;
    // What this exchange was to prepare was skipped, so it has to be sent again next time.
    for (const name of exchange.parsing) this.prepared.delete(name);
  }

  private ready(status: number): void {
    this.status = status;
    if (this.onReady) {
      this.onReady.resolve();
      this.onReady = null;
      return;
    }
    const exchange = this.exchanges.shift();
    if (exchange?.error) exchange.reject(exchange.error);
    else exchange?.resolve(exchange.results);
  }

  private checkAuthentication(kind: number): void {
    if (kind === AUTHENTICATION_OK) return;
    this.fail(
      new ConnectionLost('the engine asks for a password; the gateway needs trust authentication'),
    );
  }

  private fail(error: Error): void {
    if (this.lost) return;
    this.lost = error;
    this.onReady?.reject(error);
    for (const exchange of this.exchanges.splice(0)) exchange.reject(exchange.error ?? error);
    this.socket.destroySoon();
  }
}
