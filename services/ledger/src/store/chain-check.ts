import { larger, unitsOf, ZERO } from '@laurel/values/amount';
import { OpenPoints } from '../domain/open-points';
import type { Figures, Wallet } from '../domain/types';
import { applyEffect, EMPTY_WALLET } from '../domain/wallet';
import { bodyOf, chainHash, digestNote, GENESIS_HASH, walletIdOf } from './chain';
import type { EntryDocument, FiguresDocument, WalletDocument } from './documents';
import { fromFigures, toEffect } from './mapping';

export interface ChainProblem {
  sequence: number;
  problem: string;
}

/** Replays one wallet's log from its first entry and names everything that does not follow. */
export class ChainCheck {
  private problems: ChainProblem[] = [];
  /** Without its lots and holds, which `open` has. */
  private wallet: Wallet = EMPTY_WALLET;
  private readonly open = new OpenPoints();
  private hash = GENESIS_HASH;
  private broken = false;

  constructor(private readonly snapshot: WalletDocument | null) {}

  next(entry: EntryDocument): void {
    const { sequence } = entry;
    if (sequence !== this.wallet.sequence + 1)
      this.complain(sequence, `entry ${this.wallet.sequence + 1} is missing`);
    if (entry.prev_hash !== this.hash) this.complain(sequence, 'prev_hash is not the hash before');
    if (chainHash(entry.prev_hash, bodyOf(entry)) !== entry.hash)
      this.complain(sequence, 'the entry does not match its hash');
    const { workspace_id, client_id, wallet_type_id } = entry;
    if (walletIdOf(workspace_id, client_id, wallet_type_id) !== entry.wallet_id)
      this.complain(sequence, 'the entry is of another client or wallet type than its wallet');
    if (entry.note && digestNote(entry.note) !== entry.note_digest)
      this.complain(sequence, 'description or metadata do not match their digest');
    this.replay(entry);
    this.hash = entry.hash;
    if (this.snapshot?.sequence === sequence) this.compareSnapshot(this.snapshot, entry);
  }

  /** To be called after the last entry. */
  end(): void {
    if (this.snapshot && this.snapshot.sequence > this.wallet.sequence)
      this.complain(this.wallet.sequence + 1, 'entries that the snapshot knows are missing');
  }

  /** What was found since this was last asked: a log that is broken early has as many as entries. */
  takeProblems(): ChainProblem[] {
    if (this.problems.length === 0) return this.problems;
    const found = this.problems;
    this.problems = [];
    return found;
  }

  private replay(entry: EntryDocument): void {
    try {
      const at = entry.created_at.getTime();
      if (at < this.wallet.lastAt) this.complain(entry.sequence, 'time runs backwards');
      const effect = toEffect(entry);
      const after = applyEffect(this.wallet, { ...effect, lots: [], holds: [] }, at);
      const opened = this.open.after(effect);
      if (!this.broken && !sameFigures(fromFigures(after.figures), entry.after))
        this.complain(
          entry.sequence,
          'the balances after the entry do not follow from those before',
        );
      if (!this.broken) this.checkOpen(opened.sums, after.figures, entry.sequence);
      this.open.keep(opened);
      this.wallet = { ...after, sequence: entry.sequence };
    } catch {
      this.complain(entry.sequence, 'the entry cannot be replayed');
      this.wallet = { ...this.wallet, sequence: entry.sequence };
    }
  }

  private checkOpen(
    sums: ReturnType<OpenPoints['after']>['sums'],
    { active, pending, locked }: Figures,
    sequence: number,
  ): void {
    const held = unitsOf(sums.held);
    if (unitsOf(sums.active) !== larger(ZERO, active))
      this.complain(sequence, 'the lots do not add up to the active balance');
    if (unitsOf(sums.pending) !== pending)
      this.complain(sequence, 'the pending lots do not add up to the pending balance');
    if (held !== locked) this.complain(sequence, 'the holds do not add up to the locked balance');
  }

  private compareSnapshot(snapshot: WalletDocument, entry: EntryDocument): void {
    if (snapshot.hash !== entry.hash)
      this.complain(entry.sequence, 'the snapshot has another hash');
    if (!sameFigures(snapshot.figures, entry.after))
      this.complain(entry.sequence, 'the snapshot has other balances');
  }

  /** After a first break the balances of what follows prove nothing more; the hashes still do. */
  private complain(sequence: number, problem: string): void {
    this.broken = true;
    this.problems.push({ sequence, problem });
  }
}

function sameFigures(a: FiguresDocument, b: FiguresDocument): boolean {
  return (Object.keys(a) as (keyof FiguresDocument)[]).every(
    (name) => unitsOf(a[name]) === unitsOf(b[name]),
  );
}
