import { checkCheckpoint, type Head } from './checkpoint';
import { parseEntry } from './entry';
import { Seen } from './seen';
import {
  type Checkpoint,
  type EntryBody,
  FIGURES,
  type Figures,
  type Finding,
  type Report,
} from './types';
import { WalletCheck } from './wallet-check';

export interface VerifyOptions {
  checkpoint?: Checkpoint | null;
  /** A public key (PEM) obtained another way; else the checkpoint's own is believed. */
  trustedKey?: string | null;
}

/** Checks an export, line by line; wallets may be interleaved, each must be in order. */
export async function verifyExport(
  lines: AsyncIterable<string> | Iterable<string>,
  { checkpoint = null, trustedKey = null }: VerifyOptions = {},
): Promise<Report> {
  const findings: Finding[] = [];
  const wallets = new Map<string, WalletCheck>();
  const unique = new Uniqueness(findings);
  const pairs = new Pairs();
  const at = checkpoint ? Date.parse(checkpoint.at) : null;
  let workspaceId = checkpoint?.workspace_id;
  let lineNumber = 0;
  let entries = 0;
  for await (const line of lines) {
    if (line.trim() === '') continue;
    lineNumber += 1;
    const entry = parseEntry(line);
    if (!entry) {
      findings.push({ wallet: null, sequence: null, problem: `line ${lineNumber} is no entry` });
      continue;
    }
    entries += 1;
    const { body } = entry;
    let wallet = wallets.get(body.wallet_id);
    if (!wallet) {
      const complain = (sequence: number, problem: string) =>
        void findings.push({ wallet: body.wallet_id, sequence, problem });
      wallet = new WalletCheck(complain, at);
      wallets.set(body.wallet_id, wallet);
    }
    wallet.next(entry);
    unique.next(body);
    workspaceId ??= body.workspace_id;
    if (body.workspace_id !== workspaceId)
      findings.push(finding(body, 'the entry is of another workspace'));
    pairs.next(body);
  }
  const partial = [...wallets.values()].filter((wallet) => wallet.partial).length;
  findings.push(...pairs.halves(partial === 0));
  if (checkpoint) findings.push(...checkAgainst({ checkpoint, trustedKey }, wallets, partial));
  return { lines: lineNumber, entries, wallets: wallets.size, partial, findings };
}

function checkAgainst(
  { checkpoint, trustedKey }: { checkpoint: Checkpoint; trustedKey: string | null },
  wallets: ReadonlyMap<string, WalletCheck>,
  partial: number,
): Finding[] {
  const whole = (problem: string): Finding => ({ wallet: null, sequence: null, problem });
  if (partial > 0) return [whole('an export of parts cannot be held against a checkpoint')];
  const heads = [...wallets].flatMap(([wallet, { checkpointHead }]): Head[] =>
    checkpointHead ? [{ wallet, ...checkpointHead }] : [],
  );
  return checkCheckpoint(checkpoint, heads, trustedKey).map(whole);
}

/** No entry, operation or claim may stand in the ledger twice. */
class Uniqueness {
  private readonly seen = new Seen();

  constructor(private readonly findings: Finding[]) {}

  next({ _id, operation_id, claim, wallet_id: wallet, sequence }: EntryBody): void {
    const names = [`entry ${_id}`, `operation ${operation_id}`];
    if (claim !== undefined) names.push(`claim ${claim}`);
    for (const name of names) {
      if (!this.seen.add(name))
        this.findings.push({ wallet, sequence, problem: `${name} stands twice` });
    }
  }
}

/** Both sides of a transfer must be there and cancel out. */
class Pairs {
  private readonly alone = new Map<string, EntryBody>();
  private readonly wrong: Finding[] = [];

  next(body: EntryBody): void {
    if (!body.counterpart) {
      if (body.change.moved !== 0)
        this.wrong.push(finding(body, 'points move, and nothing says to or from where'));
      return;
    }
    const other = this.alone.get(body.counterpart.entry_id);
    if (!other) {
      this.alone.set(body._id, body);
      return;
    }
    this.alone.delete(other._id);
    if (!cancelOut(other.change, body.change) || !isSideOf(body, other) || !isSideOf(other, body))
      this.wrong.push(finding(body, 'the sides of a transfer do not match'));
  }

  halves(complete: boolean): Finding[] {
    if (!complete) return this.wrong;
    const missing = [...this.alone.values()].map((body) =>
      finding(body, 'the other side of the transfer is missing'),
    );
    return [...this.wrong, ...missing];
  }
}

/** Nothing comes out of a transfer that did not go into it, under whatever name. */
const cancelOut = (one: Figures, other: Figures): boolean =>
  FIGURES.every((name) => one[name] + other[name] === 0);

const isSideOf = ({ counterpart }: EntryBody, { _id, wallet_id }: EntryBody): boolean =>
  counterpart?.entry_id === _id && counterpart.wallet_id === wallet_id;

function finding({ wallet_id, sequence }: EntryBody, problem: string): Finding {
  return { wallet: wallet_id, sequence, problem };
}
