import { wholePerson } from '@laurel/mongo';
import type { Handlers } from '@laurel/rpc';
import type { Deps } from './deps';
import { adjustPoints } from './use-cases/adjust-points';
import { batchPoints } from './use-cases/batch-points';
import { cancelEntry } from './use-cases/cancel-entry';
import { captureLock } from './use-cases/capture-lock';
import { closeClientWallets } from './use-cases/close-client-wallets';
import { createWalletType } from './use-cases/create-wallet-type';
import { deleteWalletType } from './use-cases/delete-wallet-type';
import { earnPoints } from './use-cases/earn-points';
import { explainEntry } from './use-cases/explain-entry';
import { streamClientExport } from './use-cases/export-client';
import { exportEntries } from './use-cases/export-entries';
import { getClientStatement } from './use-cases/get-client-statement';
import { getDailyFigures } from './use-cases/get-daily-figures';
import { getEntry } from './use-cases/get-entry';
import { getLoyaltyConfig } from './use-cases/get-loyalty-config';
import { getStatement } from './use-cases/get-statement';
import { getBalances, getWallets } from './use-cases/get-wallets';
import { listBalances } from './use-cases/list-balances';
import { getCheckpoint, listCheckpoints } from './use-cases/list-checkpoints';
import { listClientEntries, listEntries } from './use-cases/list-entries';
import { listExpiring } from './use-cases/list-expiring';
import { listWalletHeads } from './use-cases/list-wallet-heads';
import { getWalletType, listWalletTypes } from './use-cases/list-wallet-types';
import { lockPoints } from './use-cases/lock-points';
import { mergeClientWallets } from './use-cases/merge-client-wallets';
import {
  createLoyaltyConfig,
  putLoyaltyConfig,
  updateLoyaltyConfig,
} from './use-cases/put-loyalty-config';
import { quoteEarn } from './use-cases/quote-earn';
import { quoteMerge } from './use-cases/quote-merge';
import { quotePurchaseRefund } from './use-cases/quote-purchase-refund';
import { quoteRefund } from './use-cases/quote-refund';
import { quoteSpend } from './use-cases/quote-spend';
import { refundPurchase } from './use-cases/refund-purchase';
import { refundSpend } from './use-cases/refund-spend';
import { releaseLock } from './use-cases/release-lock';
import { scrubClient } from './use-cases/scrub-client';
import { search } from './use-cases/search';
import { spendPoints } from './use-cases/spend-points';
import { summarizePoints } from './use-cases/summarize-points';
import { transferPoints } from './use-cases/transfer-points';
import { updateWalletType } from './use-cases/update-wallet-type';
import { verifyLedger } from './use-cases/verify-ledger';

/** Each rpc of protos/ledger.proto and the use case that answers it. */
export const rpcHandlers = (deps: Deps): Handlers<'ledger'> => ({
  GetLoyaltyConfig: (request) => getLoyaltyConfig(deps, request),
  CreateLoyaltyConfig: (request) => createLoyaltyConfig(deps, request),
  UpdateLoyaltyConfig: (request) => updateLoyaltyConfig(deps, request),
  PutLoyaltyConfig: (request) => putLoyaltyConfig(deps, request),

  ListWalletTypes: (request) => listWalletTypes(deps, request),
  GetWalletType: (request) => getWalletType(deps, request),
  CreateWalletType: (request) => createWalletType(deps, request),
  UpdateWalletType: (request) => updateWalletType(deps, request),
  DeleteWalletType: (request) => deleteWalletType(deps, request),

  GetWallets: (request) => getWallets(deps, request),
  GetBalances: (request) => getBalances(deps, request),
  ListBalances: (request) => listBalances(deps, request),
  ListWalletHeads: (request) => listWalletHeads(deps, request),

  ListEntries: (request) => listEntries(deps, request),
  ListClientEntries: (request) => listClientEntries(deps, request),
  GetEntry: (request) => getEntry(deps, request),
  ExplainEntry: (request) => explainEntry(deps, request),
  ListExpiring: (request) => listExpiring(deps, request),
  SummarizePoints: (request) => summarizePoints(deps, request),
  Search: (request) => search(deps, request),
  GetDailyFigures: (request) => getDailyFigures(deps, request),
  GetStatement: (request) => getStatement(deps, request),
  GetClientStatement: (request) => getClientStatement(deps, request),
  ExportEntries: (request) => exportEntries(deps, request),
  VerifyLedger: (request) => verifyLedger(deps, request),
  ListCheckpoints: (request) => listCheckpoints(deps, request),
  GetCheckpoint: (request) => getCheckpoint(deps, request),

  EarnPoints: (request) => earnPoints(deps, request),
  SpendPoints: (request) => spendPoints(deps, request),
  QuoteEarn: (request) => quoteEarn(deps, request),
  QuotePurchaseRefund: (request) => quotePurchaseRefund(deps, request),
  QuoteRefund: (request) => quoteRefund(deps, request),
  QuoteSpend: (request) => quoteSpend(deps, request),
  AdjustPoints: (request) => adjustPoints(deps, request),
  TransferPoints: (request) => transferPoints(deps, request),
  LockPoints: (request) => lockPoints(deps, request),
  ReleaseLock: (request) => releaseLock(deps, request),
  CaptureLock: (request) => captureLock(deps, request),
  CancelEntry: (request) => cancelEntry(deps, request),
  BatchPoints: (request) => batchPoints(deps, request),
  RefundPurchase: (request) => refundPurchase(deps, request),
  RefundSpend: (request) => refundSpend(deps, request),

  QuoteMerge: (request) => quoteMerge(deps, request),
  MergeClientWallets: (request) => mergeClientWallets(deps, request),
  CloseClientWallets: (request) => closeClientWallets(deps, request),
  ScrubClient: (request) => scrubClient(deps, request),
  ExportClient: (request) => wholePerson(streamClientExport(deps, request)),
  StreamClientExport: (request) => streamClientExport(deps, request),
});
