export { escapeHtml, writeLetter } from './letter';
export { oneLine } from './one-line';
export type { Outgoing } from './outgoing';
export { createMessageQueue, type MessageQueue, messageIndexes, type NewMessage } from './queue';
export { type MailConfig, mailSettings } from './settings';
export { createTransports, type Deliver, type Transports } from './transport';
