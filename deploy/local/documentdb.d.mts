// Types of documentdb.mjs for callers in TypeScript (tests).

export interface RunningEngine {
  pid: number;
  port: number;
  socketDir: string;
  socket: string;
  stop(): Promise<void>;
}

export interface RunningServer {
  pid: number;
  port: number;
  uri: string;
  stop(): Promise<void>;
}

export function installDocumentdb(options?: {
  root?: string;
  progress?: (line: string) => void;
  mirror?: string;
}): Promise<{ root: string; version: string }>;

export function isInstalled(root: string): boolean;

export interface EngineOptions {
  root?: string;
  dataDir: string;
  port?: number;
  socketDir?: string;
  logFile?: string;
}

export function startDocumentdb(options: EngineOptions): Promise<RunningEngine>;

/** Its PostgreSQL without the extension. */
export function startPostgres(options: EngineOptions): Promise<RunningEngine>;

export function startGateway(options: {
  socketDir?: string;
  enginePort?: number;
  port?: number;
  logFile: string;
  env?: Record<string, string>;
}): Promise<RunningServer>;

export function gatewayUri(port: number): string;

export function detectMongod(): string | null;

export function startMongod(options: {
  binary?: string;
  dataDir: string;
  port?: number;
  logFile: string;
}): Promise<RunningServer>;
