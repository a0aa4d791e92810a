export { main } from './cli';
export type { Checkpoint, ExportedEntry, Finding, Report } from './types';
export { type VerifyOptions, verifyExport } from './verify';
