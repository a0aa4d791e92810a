import { setImmediate as yieldToOthers } from 'node:timers/promises';
import { platform } from '@laurel/errors';
import { newId } from '@laurel/lifecycle';
import type { ledger as api } from '@laurel/rpc';
import type { Ledger } from '../deps';

interface FakeEntry {
  id: string;
  clientId: string;
  operation: string;
  amount: number;
}

/** A ledger in memory that keeps the promises of the real one: one operation, one entry; never overdrawn. */
export class FakeLedger implements Ledger {
  readonly walletTypeId = newId();
  readonly entries: FakeEntry[] = [];
  private readonly balances = new Map<string, number>();
  /** Clients that the wallet type lets go below zero. */
  mayOverdraw = false;

  fund(clientId: string, points: number): void {
    this.balances.set(clientId, this.balanceOf(clientId) + points);
  }

  balanceOf(clientId: string): number {
    return this.balances.get(clientId) ?? 0;
  }

  entryOf(operation: string): FakeEntry | undefined {
    return this.entries.find((entry) => entry.operation === operation);
  }

  readonly QuoteSpend = async (request: api.SpendRequest): Promise<api.PointsQuote> => {
    await yieldToOthers();
    this.refuseOverdraw(request);
    const { amount, client_id: clientId } = request;
    const balance_after = this.balanceOf(clientId) - amount;
    return { amount: -amount, wallet_type_code: 'points', pending: 0, balance_after };
  };

  readonly SpendPoints = async (request: api.SpendRequest): Promise<api.EntryReply> => {
    await yieldToOthers();
    const { client_id: clientId, amount, operation_id: operation = '' } = request;
    const known = this.entryOf(operation);
    if (known) return { entry: toEntry(known), replayed: true };
    this.refuseOverdraw(request);
    return { entry: toEntry(this.write(clientId, operation, -amount)), replayed: false };
  };

  readonly RefundSpend = async (request: api.RefundSpendRequest): Promise<api.RefundSpendReply> => {
    await yieldToOthers();
    const spend = this.entryOf(request.spend_operation_id);
    if (!spend) return { replayed: false };
    const operation = `refund of ${spend.operation}`;
    const known = this.entryOf(operation);
    if (known) return { entry: toEntry(known), replayed: true };
    const entry = this.write(spend.clientId, operation, -spend.amount);
    return { entry: toEntry(entry), replayed: false };
  };

  readonly GetBalances = async ({ client_id }: api.ClientRequest): Promise<api.Wallets> => {
    await yieldToOthers();
    const wallet = { active_balance: this.balanceOf(client_id) } as api.Wallet;
    const wallet_type = {
      id: this.walletTypeId,
      active: true,
      allow_negative_balance: this.mayOverdraw,
    } as api.WalletType;
    return { wallets: [{ wallet, wallet_type }], inactive_codes: [] };
  };

  readonly GetWalletType = async ({ id }: { id: string }): Promise<api.WalletType> => {
    if (id !== this.walletTypeId) throw platform.recordNotFound();
    return { id, active: true } as api.WalletType;
  };

  private refuseOverdraw({ client_id: clientId, amount }: api.SpendRequest): void {
    if (this.mayOverdraw || this.balanceOf(clientId) >= amount) return;
    const extensions = { reason: 'insufficient_balance' };
    throw platform.invalidPayload({ field: 'amount', extensions });
  }

  private write(clientId: string, operation: string, amount: number): FakeEntry {
    const entry = { id: newId(), clientId, operation, amount };
    this.entries.push(entry);
    this.balances.set(clientId, this.balanceOf(clientId) + amount);
    return entry;
  }
}

function toEntry({ id, clientId, amount }: FakeEntry): api.Entry {
  return { id, client_id: clientId, amount } as api.Entry;
}
