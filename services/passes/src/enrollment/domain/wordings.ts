/** The languages that the platform writes to people in (part 3, section 9). */
export const LANGUAGES = ['en', 'de', 'fr', 'es', 'pl'] as const;
export type Language = (typeof LANGUAGES)[number];

/** The language of a locale such as `de-AT`; English for those that are not spoken here. */
export function languageOf(locale: string): Language {
  const [code = ''] = locale.toLowerCase().split(/[-_]/);
  return LANGUAGES.find((language) => language === code) ?? 'en';
}

interface Wordings {
  /** How a form asks for consent where the workspace has no words of its own. */
  consent: string;
  mail: {
    subject: (workspace: string) => string;
    greeting: (name: string | null) => string;
    lead: (workspace: string) => string;
    apple: string;
    google: string;
    portal: string;
    ignore: string;
  };
}

export const wordings: Record<Language, Wordings> = {
  en: {
    consent: 'I would like to receive news and offers. I can withdraw this consent at any time.',
    mail: {
      subject: (workspace) => `Your ${workspace} pass`,
      greeting: (name) => (name ? `Hello ${name},` : 'Hello,'),
      lead: (workspace) => `here is your ${workspace} pass. Add it to the wallet on your phone:`,
      apple: 'Add to Apple Wallet',
      google: 'Add to Google Wallet',
      portal: 'See your points and rewards',
      ignore: 'You did not ask for it? Then you can ignore this message.',
    },
  },
  de: {
    consent:
      'Ich möchte Neuigkeiten und Angebote erhalten. Diese Einwilligung kann ich jederzeit widerrufen.',
    mail: {
      subject: (workspace) => `Deine Karte von ${workspace}`,
      greeting: (name) => (name ? `Hallo ${name},` : 'Hallo,'),
      lead: (workspace) =>
        `hier ist deine Karte von ${workspace}. Füge sie der Wallet auf deinem Telefon hinzu:`,
      apple: 'Zu Apple Wallet hinzufügen',
      google: 'Zu Google Wallet hinzufügen',
      portal: 'Deine Punkte und Prämien ansehen',
      ignore: 'Du hast sie nicht angefordert? Dann ignoriere diese Nachricht einfach.',
    },
  },
  fr: {
    consent:
      'Je souhaite recevoir des nouvelles et des offres. Je peux retirer ce consentement à tout moment.',
    mail: {
      subject: (workspace) => `Votre carte ${workspace}`,
      greeting: (name) => (name ? `Bonjour ${name},` : 'Bonjour,'),
      lead: (workspace) =>
        `voici votre carte ${workspace}. Ajoutez-la au portefeuille de votre téléphone :`,
      apple: 'Ajouter à Apple Wallet',
      google: 'Ajouter à Google Wallet',
      portal: 'Voir vos points et récompenses',
      ignore: 'Vous n’avez rien demandé ? Alors ignorez simplement ce message.',
    },
  },
  es: {
    consent:
      'Quiero recibir novedades y ofertas. Puedo retirar este consentimiento en cualquier momento.',
    mail: {
      subject: (workspace) => `Tu tarjeta de ${workspace}`,
      greeting: (name) => (name ? `Hola, ${name}:` : 'Hola:'),
      lead: (workspace) =>
        `aquí tienes tu tarjeta de ${workspace}. Añádela a la cartera de tu teléfono:`,
      apple: 'Añadir a Apple Wallet',
      google: 'Añadir a Google Wallet',
      portal: 'Ver tus puntos y recompensas',
      ignore: '¿No la has pedido? Entonces puedes ignorar este mensaje.',
    },
  },
  pl: {
    consent: 'Chcę otrzymywać nowości i oferty. Tę zgodę mogę wycofać w każdej chwili.',
    mail: {
      subject: (workspace) => `Twoja karta ${workspace}`,
      greeting: (name) => (name ? `Cześć ${name},` : 'Cześć,'),
      lead: (workspace) => `oto Twoja karta ${workspace}. Dodaj ją do portfela w telefonie:`,
      apple: 'Dodaj do Apple Wallet',
      google: 'Dodaj do Google Wallet',
      portal: 'Zobacz swoje punkty i nagrody',
      ignore: 'To nie Ty o nią prosisz? W takim razie zignoruj tę wiadomość.',
    },
  },
};
