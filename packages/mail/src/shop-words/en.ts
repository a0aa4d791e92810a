import type { ShopWords } from './words';

export const en: ShopWords = {
  texts: {
    invitation: {
      subject: 'You are invited to {{shop}}',
      text: '{{inviter}} invites you to the workspace {{shop}}.',
      button: 'Accept the invitation',
    },
    pairing_code: {
      subject: 'Your pairing code for {{shop}}',
      text: 'Your code to sign in to the {{shop}} app is {{code}}. It is valid for 10 minutes.',
      button: null,
    },
    portal_code: {
      subject: 'Your sign-in code for {{shop}}',
      text: 'Your code to sign in to {{shop}} is {{code}}. It is valid for 10 minutes.',
      button: null,
    },
    pass: {
      subject: 'Your {{shop}} pass',
      text: '{{greeting}}\n\nhere is your {{shop}} pass. Add it to the wallet on your phone:',
      button: null,
    },
    confirmation: {
      subject: 'Please confirm: your {{shop}} card',
      text: '{{greeting}}\n\nsomebody, probably you, filled in the form of {{shop}} with your contact. Nothing of what we know of you changes until you confirm it.',
      button: 'Look at it and confirm',
    },
  },
  why: {
    invitation: '{{inviter}} entered this address to invite you to {{shop}}.',
    pairing_code: '{{shop}} lets you use its app with this address.',
    portal_code: 'Somebody entered this address to sign in to {{shop}}.',
    pass: 'This address was given for a card of {{shop}}.',
    confirmation: 'Somebody entered this address into a form of {{shop}}.',
  },
  greeting: 'Hello {{first_name}},',
  greetingOfNobody: 'Hello,',
  acceptBy: 'To accept, follow this link within 7 days',
  codeNotAsked: 'If you did not ask for it, nothing needs to be done.',
  apple: 'Add to Apple Wallet',
  google: 'Add to Google Wallet',
  portal: 'See your points and rewards',
  ignore: 'You did not ask for it? Then you can ignore this message.',
  consent: 'With it you agree to this:\n“{{text}}”',
  confirmUntil: 'The link works for 48 hours, once.',
  passBefore: 'You already have a pass. Here it is:',
  passWithoutWallet: '{{greeting}}\n\nhere is your {{shop}} pass.',
  noWallet:
    'Your pass cannot be added to a wallet yet. At the counter your name or e-mail address is enough.',
  privacy: 'Privacy',
  imprint: 'Legal notice',
};
