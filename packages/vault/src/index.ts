export { createVault, type Sealed, type Vault } from './vault';
