export { type GatewayConfig, readConfig } from './config';
export { type Gateway, type Log, startGateway } from './gateway';
