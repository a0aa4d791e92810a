/** Whom a mail is from. */
export interface Sender {
  /** Empty for none. */
  name: string;
  address: string;
}

/** One mail or text on its way. */
export interface Outgoing {
  id: string;
  channel: 'email' | 'sms';
  to: string;
  subject?: string;
  text: string;
  html?: string;
  /** Who writes, before the platform's own address; a mail only. */
  fromName?: string;
  /** Where answers go; the platform's own address where it is left out. */
  replyTo?: string;
}
