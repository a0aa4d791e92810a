import type { ShopWords } from './words';

export const fr: ShopWords = {
  texts: {
    invitation: {
      subject: 'Invitation à rejoindre {{shop}}',
      text: '{{inviter}} vous invite dans l’espace {{shop}}.',
      button: 'Accepter l’invitation',
    },
    pairing_code: {
      subject: 'Votre code d’association pour {{shop}}',
      text: 'Votre code de connexion à l’application {{shop}} est {{code}}. Il est valable 10 minutes.',
      button: null,
    },
    portal_code: {
      subject: 'Votre code de connexion à {{shop}}',
      text: 'Votre code de connexion à {{shop}} est {{code}}. Il est valable 10 minutes.',
      button: null,
    },
    pass: {
      subject: 'Votre carte {{shop}}',
      text: '{{greeting}}\n\nvoici votre carte {{shop}}. Ajoutez-la au portefeuille de votre téléphone\u202f:',
      button: null,
    },
    confirmation: {
      subject: 'À confirmer\u202f: votre carte {{shop}}',
      text: '{{greeting}}\n\nquelqu’un, sans doute vous, a rempli le formulaire de {{shop}} avec vos coordonnées. Rien de ce que nous savons de vous ne change avant votre confirmation.',
      button: 'Voir et confirmer',
    },
  },
  why: {
    invitation: '{{inviter}} a saisi cette adresse pour vous inviter chez {{shop}}.',
    pairing_code: '{{shop}} vous ouvre son application avec cette adresse.',
    portal_code: 'Quelqu’un a saisi cette adresse pour se connecter à {{shop}}.',
    pass: 'Cette adresse a été donnée pour une carte {{shop}}.',
    confirmation: 'Quelqu’un a saisi cette adresse dans un formulaire de {{shop}}.',
  },
  greeting: 'Bonjour {{first_name}},',
  greetingOfNobody: 'Bonjour,',
  acceptBy: 'Pour accepter, suivez ce lien dans les 7 jours',
  codeNotAsked: 'Si vous ne l’avez pas demandé, vous n’avez rien à faire.',
  apple: 'Ajouter à Apple Wallet',
  google: 'Ajouter à Google Wallet',
  portal: 'Voir vos points et récompenses',
  ignore: 'Vous n’avez rien demandé\u202f? Alors ignorez simplement ce message.',
  consent: 'Vous acceptez ainsi ceci\u202f:\n«\u202f{{text}}\u202f»',
  confirmUntil: 'Le lien est valable 48 heures, une seule fois.',
  passBefore: 'Vous avez déjà une carte. La voici\u202f:',
  passWithoutWallet: '{{greeting}}\n\nvoici votre carte {{shop}}.',
  noWallet:
    'Votre carte ne peut pas encore aller dans un portefeuille. À la caisse, votre nom ou votre adresse e-mail suffit.',
  privacy: 'Confidentialité',
  imprint: 'Mentions légales',
};
