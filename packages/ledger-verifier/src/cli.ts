import { createReadStream, readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { readCheckpoint } from './checkpoint';
import type { Checkpoint, Finding, Report } from './types';
import { verifyExport } from './verify';

const USAGE = `usage: laurel-verify export.ndjson [checkpoint.json] [--key trusted-public-key.pem]

exit code 0: everything holds, 1: something does not, 2: the files cannot be read
`;
const FINDINGS_SHOWN = 100;

/** As a shell expects it. */
const EVERYTHING_HOLDS = 0;
const SOMETHING_DOES_NOT = 1;
const NOT_READABLE = 2;
const HELP = ['--help', '-h'];

class UsageError extends Error {}

/** Runs the verifier and writes what it found to standard output; returns the exit code. */
export async function main(parameters: readonly string[]): Promise<number> {
  if (parameters.some((one) => HELP.includes(one))) {
    process.stdout.write(USAGE);
    return EVERYTHING_HOLDS;
  }
  try {
    const { exportFile, checkpointFile, keyFile } = readParameters(parameters);
    const checkpoint =
      checkpointFile === undefined ? null : readCheckpoint(readFileSync(checkpointFile, 'utf8'));
    const trustedKey = keyFile === undefined ? null : readFileSync(keyFile, 'utf8');
    const lines = createInterface({ input: createReadStream(exportFile), crlfDelay: Infinity });
    const report = await verifyExport(lines, { checkpoint, trustedKey });
    if (report.lines > 0 && report.entries === 0)
      throw new Error(`${exportFile} is no export of a ledger`);
    // What a failed download leaves behind must not read as a proof.
    if (report.lines === 0 && !checkpoint)
      throw new Error(
        `${exportFile} holds no entry, so there is nothing to check; give a checkpoint of a ledger that has none`,
      );
    process.stdout.write(`${tell(report, checkpoint, trustedKey !== null).join('\n')}\n`);
    return report.findings.length === 0 ? EVERYTHING_HOLDS : SOMETHING_DOES_NOT;
  } catch (error) {
    const usage = error instanceof UsageError ? USAGE : '';
    process.stderr.write(`laurel-verify: ${(error as Error).message}\n${usage}`);
    return NOT_READABLE;
  }
}

function readParameters(parameters: readonly string[]) {
  try {
    const { values, positionals } = parseArgs({
      args: [...parameters],
      allowPositionals: true,
      options: { key: { type: 'string' } },
    });
    const [exportFile, checkpointFile, ...more] = positionals;
    if (exportFile === undefined) throw new Error('name an export');
    if (more.length > 0) throw new Error('one export and one checkpoint at a time');
    return { exportFile, checkpointFile, keyFile: values.key };
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

/** What was found, what was checked, and what that does not prove. */
function tell(report: Report, checkpoint: Checkpoint | null, hasTrustedKey: boolean): string[] {
  const { entries, wallets, partial, findings } = report;
  const shown = findings.slice(0, FINDINGS_SHOWN).map((finding) => `✗ ${describe(finding)}`);
  if (findings.length > FINDINGS_SHOWN)
    shown.push(`  ... and ${findings.length - FINDINGS_SHOWN} more`);
  const parts = partial > 0 ? ` (${partial} of them in part)` : '';
  const verdict = findings.length === 0 ? 'everything holds' : `${findings.length} findings`;
  return [
    ...shown,
    `${findings.length === 0 ? '✓' : '✗'} ${entries} entries of ${wallets} wallets${parts}: ${verdict}`,
    ...caveats(checkpoint, hasTrustedKey),
  ];
}

function caveats(checkpoint: Checkpoint | null, hasTrustedKey: boolean): string[] {
  if (!checkpoint)
    return ['! Without a checkpoint, whole wallets or the newest entries may be missing.'];
  const { id, at, wallets, key_id } = checkpoint;
  return [
    `  checkpoint ${id} of ${at} over ${wallets} wallets, signed with key ${key_id}`,
    ...(hasTrustedKey
      ? []
      : ['! The key is the one that the checkpoint names: give --key to check against your own.']),
  ];
}

function describe({ wallet, sequence, problem }: Finding): string {
  return wallet === null ? problem : `wallet ${wallet} entry ${sequence}: ${problem}`;
}
