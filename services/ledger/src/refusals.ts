import { catalogue, platform } from '@laurel/errors';

/** Every way the ledger says no, in order of precedence. */
export const refusals = catalogue({
  unknownClient: platform.invalidPayload.says('there is no such client in the workspace'),
  clientAnonymized: platform.invalidPayload.says('the client is anonymized: points no longer move'),
  unknownWalletType: platform.invalidPayload.says('there is no such wallet type in the workspace', {
    field: 'wallet_type_code',
  }),
  noDefaultWalletType: platform.invalidPayload.says(
    'wallet_type_code must be given: this workspace has no default wallet type',
    { field: 'wallet_type_code' },
  ),
  walletTypeInactive: platform.invalidPayload.says('the wallet type is not active', {
    field: 'wallet_type_code',
  }),
  walletClosed: platform.invalidPayload.says(
    'the wallet is closed: its client was merged or deleted',
    { field: 'client_id' },
  ),
  insufficientBalance: platform.invalidPayload.says('the active balance is not sufficient'),
  maxBalance: platform.invalidPayload.says('the wallet is at its max_balance'),
  outOfRange: platform.invalidPayload.says(
    'amount would carry the wallet beyond the range of exact amounts',
    { field: 'amount' },
  ),
  mergeOutOfRange: platform.invalidPayload.says(
    'the balances of both clients together are beyond the range of exact amounts',
    { field: 'source_client_id' },
  ),
  tooManyLots: platform.invalidPayload.says(
    'amount would take what is left of more than 20 000 earns at once: take it in parts',
    { field: 'amount' },
  ),
  captureTooLarge: platform.invalidPayload.says('amount is more than what is held', {
    field: 'amount',
  }),
  sameClient: platform.invalidPayload.says('to_client_id must differ from from_client_id', {
    field: 'to_client_id',
  }),
  noLongerHeld: platform.conflict.says('the points are no longer held'),
  notCancellable: platform.conflict.says('only earn, spend and adjust can be cancelled'),
  alreadyCancelled: platform.conflict.says('the entry is already cancelled'),
  nothingLeft: platform.conflict.says('nothing is left to cancel'),
  otherAmount: platform.conflict.says('this external_id was used before with another amount'),
  nothingEarned: platform.recordNotFound.says('no sale of this source_id has earned anything', {
    field: 'source_id',
  }),
  tooManyEarns: platform.invalidPayload.says(
    'more than 500 earns have this source_id: name the client_id',
    { field: 'source_id' },
  ),
  refundTooLarge: platform.invalidPayload.says(
    'the refunds of this purchase would add up to more than the whole of it',
  ),
  statementTooLong: platform.invalidPayload.says(
    'from_date must be given, or be later: the statement has over 10 000 entries, or over 8 MiB of metadata',
    { field: 'from_date' },
  ),
  configExists: platform.invalidPayload.says('the workspace already has a loyalty config'),
  configMissing: platform.invalidPayload.says('the workspace has no loyalty config yet'),
  codeTaken: platform.conflict.says('a wallet type with this code exists', { field: 'code' }),
  tooManyWalletTypes: platform.invalidPayload.says('a workspace has at most 100 wallet types'),
  walletTypeInUse: platform.conflict.says('a wallet of this type has entries'),
  defaultStays: platform.invalidPayload.says(
    'the default wallet type can be neither deactivated nor deleted',
  ),
  busy: platform.serviceUnavailable.says('the wallet is too busy at this moment: try again', {
    retryAfterSeconds: 1,
  }),
});
