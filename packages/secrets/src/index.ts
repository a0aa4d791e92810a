export { fromBase64url } from './base64url';
export { deriveKey, KEY_BYTES } from './derive-key';
export { resealAll } from './reseal';
export { resealJob } from './reseal-job';
export { sealedRows } from './sealed-rows';
export { createVault, type Sealed, type Vault } from './vault';
