export { oneLine } from './one-line';
export { createMessageQueue, type MessageQueue, messageIndexes, type NewMessage } from './queue';
export { type MailConfig, mailSettings } from './settings';
export { createTransports, type Deliver, type Outgoing, type Transports } from './transport';
