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
      subject: (workspace) => `Ihre Karte von ${workspace}`,
      greeting: (name) => (name ? `Guten Tag ${name},` : 'Guten Tag,'),
      lead: (workspace) =>
        `hier ist Ihre Karte von ${workspace}. Fügen Sie sie der Wallet auf Ihrem Telefon hinzu:`,
      apple: 'Zu Apple Wallet hinzufügen',
      google: 'Zu Google Wallet hinzufügen',
      portal: 'Ihre Punkte und Prämien ansehen',
      ignore: 'Sie haben sie nicht angefordert? Dann ignorieren Sie diese Nachricht einfach.',
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
      subject: (workspace) => `Su tarjeta de ${workspace}`,
      greeting: (name) => (name ? `Hola, ${name}:` : 'Hola:'),
      lead: (workspace) =>
        `aquí tiene su tarjeta de ${workspace}. Añádala a la cartera de su teléfono:`,
      apple: 'Añadir a Apple Wallet',
      google: 'Añadir a Google Wallet',
      portal: 'Ver sus puntos y recompensas',
      ignore: '¿No la ha pedido? Entonces puede ignorar este mensaje.',
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
