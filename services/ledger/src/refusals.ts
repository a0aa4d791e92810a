import { catalogue, defineRefusal, invalidField, platform, type Refusal } from '@laurel/errors';

/** Every way the ledger says no, in order of precedence. */
export const refusals = catalogue({
  unknownClient: (field: string): Refusal =>
    invalidField(field, 'names no client of this workspace'),
  clientAnonymized: (field: string): Refusal =>
    platform.invalidPayload({
      field,
      message: 'the client is anonymized: points no longer move',
    }),
  unknownWalletType: (): Refusal =>
    invalidField('wallet_type_code', 'names no wallet type of this workspace'),
  noDefaultWalletType: (): Refusal =>
    invalidField('wallet_type_code', 'must be given: this workspace has no default wallet type'),
  walletTypeInactive: (): Refusal =>
    platform.invalidPayload({
      field: 'wallet_type_code',
      message: 'the wallet type is not active',
    }),
  walletClosed: (): Refusal =>
    platform.invalidPayload({
      field: 'client_id',
      message: 'the wallet is closed: its client was merged or deleted',
    }),
  insufficientBalance: defineRefusal(
    'INVALID_PAYLOAD',
    400,
    'the active balance is not sufficient',
  ),
  maxBalance: defineRefusal('INVALID_PAYLOAD', 400, 'the wallet is at its max_balance'),
  outOfRange: (): Refusal =>
    invalidField('amount', 'would carry the wallet beyond the range of exact amounts'),
  captureTooLarge: (): Refusal => invalidField('amount', 'is more than what is held'),
  sameClient: (): Refusal => invalidField('to_client_id', 'must differ from from_client_id'),
  noLongerHeld: defineRefusal('CONFLICT', 409, 'the points are no longer held'),
  notCancellable: defineRefusal('CONFLICT', 409, 'only earn, spend and adjust can be cancelled'),
  alreadyCancelled: defineRefusal('CONFLICT', 409, 'the entry is already cancelled'),
  nothingLeft: defineRefusal('CONFLICT', 409, 'nothing is left to cancel'),
  otherAmount: defineRefusal(
    'CONFLICT',
    409,
    'this external_id was used before with another amount',
  ),
  refundTooLarge: (field: string): Refusal =>
    invalidField(field, 'the refunds of this purchase would add up to more than the whole of it'),
  statementTooLong: (): Refusal =>
    invalidField('from_date', 'must be given, or be later: the statement has over 10 000 entries'),
  configExists: (): Refusal =>
    platform.invalidPayload({ message: 'the workspace already has a loyalty config' }),
  configMissing: (): Refusal =>
    platform.invalidPayload({ message: 'the workspace has no loyalty config yet' }),
  codeTaken: (): Refusal =>
    platform.conflict({ field: 'code', message: 'a wallet type with this code exists' }),
  walletTypeInUse: defineRefusal('CONFLICT', 409, 'a wallet of this type has entries'),
  defaultStays: (field: string): Refusal =>
    invalidField(field, 'the default wallet type can be neither deactivated nor deleted'),
  busy: (): Refusal =>
    platform.serviceUnavailable({
      message: 'the wallet is too busy at this moment',
      retryAfterSeconds: 1,
    }),
});
