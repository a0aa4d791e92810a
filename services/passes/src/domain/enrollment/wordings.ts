import { LANGUAGES, type Language, languageOf } from '@laurel/contract';

export { LANGUAGES, type Language, languageOf };

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
    confirmSubject: (workspace: string) => string;
    confirmLead: (workspace: string) => string;
    confirm: string;
    consent: string;
    confirmUntil: string;
    passBefore: string;
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
      confirmSubject: (workspace) => `Please confirm: your ${workspace} card`,
      confirmLead: (workspace) =>
        `somebody, probably you, filled in the form of ${workspace} with your contact. Nothing of what we know of you changes until you confirm it.`,
      confirm: 'Look at it and confirm',
      consent: 'With it you agree to this:',
      confirmUntil: 'The link works for 48 hours, once.',
      passBefore: 'You already have a pass. Here it is:',
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
      confirmSubject: (workspace) => `Bitte bestätigen: Ihre Karte von ${workspace}`,
      confirmLead: (workspace) =>
        `jemand, vermutlich Sie, hat mit Ihrer Adresse das Formular von ${workspace} ausgefüllt. An Ihren Daten ändert sich nichts, bis Sie es bestätigen.`,
      confirm: 'Ansehen und bestätigen',
      consent: 'Damit stimmen Sie dem zu:',
      confirmUntil: 'Der Link gilt 48 Stunden und nur einmal.',
      passBefore: 'Sie haben schon eine Karte. Hier ist sie:',
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
      confirmSubject: (workspace) => `À confirmer : votre carte ${workspace}`,
      confirmLead: (workspace) =>
        `quelqu’un, sans doute vous, a rempli le formulaire de ${workspace} avec vos coordonnées. Rien de ce que nous savons de vous ne change avant votre confirmation.`,
      confirm: 'Voir et confirmer',
      consent: 'Vous acceptez ainsi ceci :',
      confirmUntil: 'Le lien est valable 48 heures, une seule fois.',
      passBefore: 'Vous avez déjà une carte. La voici :',
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
      confirmSubject: (workspace) => `Confirme: su tarjeta de ${workspace}`,
      confirmLead: (workspace) =>
        `alguien, seguramente usted, ha rellenado el formulario de ${workspace} con su dirección. Nada de lo que sabemos de usted cambia hasta que lo confirme.`,
      confirm: 'Ver y confirmar',
      consent: 'Con ello acepta lo siguiente:',
      confirmUntil: 'El enlace vale 48 horas y una sola vez.',
      passBefore: 'Ya tiene una tarjeta. Aquí está:',
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
      confirmSubject: (workspace) => `Potwierdź: Twoja karta ${workspace}`,
      confirmLead: (workspace) =>
        `ktoś, zapewne Ty, wypełnił formularz ${workspace}, podając Twój adres. Dopóki tego nie potwierdzisz, Twoje dane się nie zmienią.`,
      confirm: 'Zobacz i potwierdź',
      consent: 'Tym samym zgadzasz się na to:',
      confirmUntil: 'Link działa przez 48 godzin i tylko raz.',
      passBefore: 'Masz już kartę. Oto ona:',
    },
  },
};
