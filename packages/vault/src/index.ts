export { type Resealed, resealAll, type SealedRows } from './reseal';
export { resealJob } from './reseal-job';
export { UnknownKey } from './unknown-key';
export { createVault, type Sealed, type Vault } from './vault';
