import type { MailWords } from './en';

export const de: MailWords = {
  resetSubject: 'Passwort zurücksetzen',
  resetLead: 'Jemand möchte das Passwort Ihres Kontos zurücksetzen.',
  resetLink: 'Ein neues wählen Sie innerhalb einer Stunde über diesen Link',
  choosePassword: 'Neues Passwort wählen',
  earlierToken:
    'Das Konto hat einen API-Schlüssel, den vielleicht jemand vor Ihnen angelegt hat. Er gilt, bis Sie einem Arbeitsbereich beitreten oder einen eröffnen. Stammt er nicht von Ihnen, widerrufen Sie ihn.',
  notYou: 'Wenn Sie das nicht waren, müssen Sie nichts tun.',
  verifySubject: 'Bitte bestätigen Sie Ihre E-Mail-Adresse',
  verifyLead: 'Jemand hat mit dieser E-Mail-Adresse ein Konto eröffnet.',
  verifyLink:
    'Wenn Sie das waren, bestätigen Sie die Adresse innerhalb von 48 Stunden über diesen Link',
  verifyButton: 'Adresse bestätigen',
  verifyNotYou:
    'Wenn nicht, folgen Sie ihm nicht. Das Konto bekommt nichts, was für Sie bestimmt ist.\nWollen Sie es zu Ihrem machen, lassen Sie sich über „Passwort vergessen“ einen Link senden: Dann enden sein Passwort und seine Sitzungen.',
  firstSubject: 'Ihr Konto ist bereit',
  firstLead: 'Das erste Konto dieser Installation gehört Ihnen.',
  firstLink: 'Das Passwort wählen Sie innerhalb von 48 Stunden über diesen Link',
  firstAfter: 'Danach lassen Sie sich über „Passwort vergessen“ einen neuen Link senden.',
  webhookSubject: (shop) => `Ein Webhook von ${shop} wurde abgeschaltet`,
  webhookGone: 'er geantwortet hat, dass es ihn nicht mehr gibt (410)',
  webhookFailing: 'alle Versuche der letzten fünf Tage gescheitert sind',
  webhookLead: (shop, url, why) =>
    `Ereignisse von ${shop} werden nicht mehr an ${url} gesendet, weil ${why}.`,
  webhookNext:
    'Was wartete, ist aufgehoben. Bringen Sie den Empfänger in Ordnung und schalten Sie den Webhook wieder ein.',
  companySubject: 'Wer noch in Ihren Arbeitsbereichen ist',
  companyLead:
    'Sie haben gerade gezeigt, dass diese E-Mail-Adresse Ihnen gehört. Zuvor kann jemand anders das Konto benutzt haben.\nDiese Personen sind in Arbeitsbereichen, die es eröffnet hat:',
  companyMore: (count) => `und ${count} weitere`,
  companyNext:
    'Wen Sie nicht kennen, entfernen Sie aus dem Team; sehen Sie auch nach Webhooks und Integrationen.\nEinladungen, die niemand angenommen hatte, sind beendet.',
};
