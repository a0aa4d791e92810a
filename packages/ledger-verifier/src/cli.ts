#!/usr/bin/env node
import { createReadStream, readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import type { Checkpoint, Finding } from './types';
import { verifyExport } from './verify';

const USAGE =
  'usage: laurel-verify export.ndjson [checkpoint.json] [--key trusted-public-key.pem]\n';
const FINDINGS_SHOWN = 100;

/** Runs the verifier; returns the exit code. */
export async function main(parameters: readonly string[]): Promise<number> {
  const keyAt = parameters.indexOf('--key');
  const keyFile = keyAt === -1 ? null : (parameters[keyAt + 1] ?? null);
  const files =
    keyAt === -1 ? parameters : parameters.filter((_, at) => at < keyAt || at > keyAt + 1);
  const [exportFile, checkpointFile] = files;
  if (exportFile === undefined || files.length > 2 || (keyAt !== -1 && keyFile === null)) {
    process.stderr.write(USAGE);
    return 2;
  }
  try {
    const checkpoint = checkpointFile === undefined ? null : readCheckpoint(checkpointFile);
    const trustedKey = keyFile === null ? null : readFileSync(keyFile, 'utf8');
    const lines = createInterface({ input: createReadStream(exportFile), crlfDelay: Infinity });
    const report = await verifyExport(lines, { checkpoint, trustedKey });
    for (const finding of report.findings.slice(0, FINDINGS_SHOWN))
      process.stdout.write(`${describe(finding)}\n`);
    const verdict =
      report.findings.length === 0 ? 'everything holds' : `${report.findings.length} findings`;
    const parts = report.partial > 0 ? ` (${report.partial} of them in part)` : '';
    process.stdout.write(
      `${report.entries} entries of ${report.wallets} wallets${parts}: ${verdict}\n`,
    );
    return report.findings.length === 0 ? 0 : 1;
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n`);
    return 2;
  }
}

/** As the API answers it, or what stands under its `data`. */
function readCheckpoint(file: string): Checkpoint {
  const parsed = JSON.parse(readFileSync(file, 'utf8')) as Checkpoint | { data: Checkpoint };
  return 'data' in parsed ? parsed.data : parsed;
}

function describe({ wallet, sequence, problem }: Finding): string {
  return wallet === null ? problem : `wallet ${wallet} entry ${sequence}: ${problem}`;
}

if (require.main === module) {
  void main(process.argv.slice(2)).then((code) => {
    process.exitCode = code;
  });
}
