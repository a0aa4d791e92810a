import type { ShopWords } from './words';

export const pl: ShopWords = {
  texts: {
    invitation: {
      subject: 'Zaproszenie do {{shop}}',
      text: '{{inviter}} zaprasza Cię do obszaru roboczego {{shop}}.',
      button: 'Przyjmij zaproszenie',
    },
    pairing_code: {
      subject: 'Kod parowania dla {{shop}}',
      text: 'Twój kod logowania do aplikacji {{shop}} to {{code}}. Jest ważny przez 10 minut.',
      button: null,
    },
    portal_code: {
      subject: 'Kod logowania do {{shop}}',
      text: 'Twój kod logowania do {{shop}} to {{code}}. Jest ważny przez 10 minut.',
      button: null,
    },
    pass: {
      subject: 'Twoja karta {{shop}}',
      text: '{{greeting}}\n\noto Twoja karta {{shop}}. Dodaj ją do portfela w telefonie:',
      button: null,
    },
    confirmation: {
      subject: 'Potwierdź: Twoja karta {{shop}}',
      text: '{{greeting}}\n\nktoś, zapewne Ty, wypełnił formularz {{shop}}, podając Twój adres. Dopóki tego nie potwierdzisz, Twoje dane się nie zmienią.',
      button: 'Zobacz i potwierdź',
    },
  },
  why: {
    invitation: '{{inviter}} podaje ten adres, by zaprosić Cię do {{shop}}.',
    pairing_code: '{{shop}} daje Ci dostęp do swojej aplikacji pod tym adresem.',
    portal_code: 'Ktoś podał ten adres, aby zalogować się do {{shop}}.',
    pass: 'Ten adres podano przy karcie {{shop}}.',
    confirmation: 'Ktoś wpisał ten adres w formularzu {{shop}}.',
  },
  greeting: 'Cześć {{first_name}},',
  greetingOfNobody: 'Cześć,',
  acceptBy: 'Aby przyjąć zaproszenie, otwórz ten link w ciągu 7 dni',
  codeNotAsked: 'Jeśli to nie Twoja prośba, nie musisz nic robić.',
  apple: 'Dodaj do Apple Wallet',
  google: 'Dodaj do Google Wallet',
  portal: 'Zobacz swoje punkty i nagrody',
  ignore: 'To nie Ty o nią prosisz? W takim razie zignoruj tę wiadomość.',
  consent: 'Tym samym zgadzasz się na to:\n„{{text}}”',
  confirmUntil: 'Link działa przez 48 godzin i tylko raz.',
  passBefore: 'Masz już kartę. Oto ona:',
  passWithoutWallet: '{{greeting}}\n\noto Twoja karta {{shop}}.',
  noWallet:
    'Twojej karty nie da się jeszcze dodać do portfela. Przy kasie wystarczy imię i nazwisko lub adres e-mail.',
  privacy: 'Prywatność',
  imprint: 'Informacje prawne',
};
