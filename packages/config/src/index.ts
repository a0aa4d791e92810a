export { default as Joi } from 'joi';
export { backend, ofEveryProcess, publicUrl, redisUrl, rpcTlsFolder, targetOf } from './backend';
export { type Declared, describeSecrets, describeSettings, secondDeclarations } from './describe';
export { checkpointSigningKey, passLinkSecret, sessionKeys, vaultKeys } from './secrets';
export {
  type Config,
  ConfigError,
  type Environment,
  loadConfig,
  type Setting,
  type Settings,
  secret,
  setting,
  withFilesRead,
} from './setting';
