/** One mail or text on its way. */
export interface Outgoing {
  id: string;
  channel: 'email' | 'sms';
  to: string;
  subject?: string;
  text: string;
  html?: string;
}
