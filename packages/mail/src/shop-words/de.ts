import type { ShopWords } from './words';

export const de: ShopWords = {
  texts: {
    invitation: {
      subject: 'Einladung zu {{shop}}',
      text: '{{inviter}} lädt Sie in den Arbeitsbereich {{shop}} ein.',
      button: 'Einladung annehmen',
    },
    pairing_code: {
      subject: 'Ihr Kopplungscode für {{shop}}',
      text: 'Ihr Code zur Anmeldung in der App von {{shop}} lautet {{code}}. Er gilt 10 Minuten.',
      button: null,
    },
    portal_code: {
      subject: 'Ihr Anmeldecode für {{shop}}',
      text: 'Ihr Code zur Anmeldung bei {{shop}} lautet {{code}}. Er gilt 10 Minuten.',
      button: null,
    },
    pass: {
      subject: 'Ihre Karte von {{shop}}',
      text: '{{greeting}}\n\nhier ist Ihre Karte von {{shop}}. Fügen Sie sie der Wallet auf Ihrem Telefon hinzu:',
      button: null,
    },
    confirmation: {
      subject: 'Bitte bestätigen: Ihre Karte von {{shop}}',
      text: '{{greeting}}\n\njemand, vermutlich Sie, hat mit Ihrer Adresse das Formular von {{shop}} ausgefüllt. An Ihren Daten ändert sich nichts, bis Sie es bestätigen.',
      button: 'Ansehen und bestätigen',
    },
  },
  why: {
    invitation: '{{inviter}} hat diese Adresse eingegeben, um Sie zu {{shop}} einzuladen.',
    pairing_code: '{{shop}} lässt Sie mit dieser Adresse in seine App.',
    portal_code: 'Jemand hat diese Adresse eingegeben, um sich bei {{shop}} anzumelden.',
    pass: 'Diese Adresse wurde für eine Karte von {{shop}} angegeben.',
    confirmation: 'Jemand hat diese Adresse in ein Formular von {{shop}} eingetragen.',
  },
  greeting: 'Guten Tag {{first_name}},',
  greetingOfNobody: 'Guten Tag,',
  acceptBy: 'Nehmen Sie innerhalb von 7 Tagen über diesen Link an',
  codeNotAsked: 'Wenn Sie ihn nicht angefordert haben, müssen Sie nichts tun.',
  apple: 'Zu Apple Wallet hinzufügen',
  google: 'Zu Google Wallet hinzufügen',
  portal: 'Ihre Punkte und Prämien ansehen',
  ignore: 'Sie haben sie nicht angefordert? Dann ignorieren Sie diese Nachricht einfach.',
  consent: 'Damit stimmen Sie dem zu:\n„{{text}}“',
  confirmUntil: 'Der Link gilt 48 Stunden und nur einmal.',
  passBefore: 'Sie haben schon eine Karte. Hier ist sie:',
  passWithoutWallet: '{{greeting}}\n\nhier ist Ihre Karte von {{shop}}.',
  noWallet:
    'Ihre Karte kann noch in keine Wallet. An der Kasse genügt Ihr Name oder Ihre E-Mail-Adresse.',
  privacy: 'Datenschutz',
  imprint: 'Impressum',
};
