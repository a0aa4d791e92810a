export { escapeHtml, writeLetter } from './letter';
export {
  complaintAboutMailText,
  defaultMailText,
  isShopMail,
  namesPlace,
  placeholdersOf,
} from './mail-text';
export { oneLine } from './one-line';
export type { Outgoing } from './outgoing';
export { createMessageQueue, type MessageQueue, type NewMessage, queuedMessages } from './queue';
export { type MailConfig, mailSettings } from './settings';
export {
  type ConfirmationRequest,
  confirmationLetter,
  confirmationText,
  invitationLetter,
  type PassNews,
  pairingCodeLetter,
  pairingCodeText,
  passLetter,
  portalCodeLetter,
  type ShopWriter,
  sampleLetter,
} from './shop-letters';
export type { MailText } from './shop-words/words';
export { signedAs } from './signed-as';
export { createTransports, type Deliver, type Transports } from './transport';
