import type { Language } from '@laurel/contract';

interface Wordings {
  /** How a form asks for consent where the workspace has no words of its own. */
  consent: string;
}

export const wordings: Record<Language, Wordings> = {
  en: {
    consent: 'I would like to receive news and offers. I can withdraw this consent at any time.',
  },
  de: {
    consent:
      'Ich möchte Neuigkeiten und Angebote erhalten. Diese Einwilligung kann ich jederzeit widerrufen.',
  },
  fr: {
    consent:
      'Je souhaite recevoir des nouvelles et des offres. Je peux retirer ce consentement à tout moment.',
  },
  es: {
    consent:
      'Quiero recibir novedades y ofertas. Puedo retirar este consentimiento en cualquier momento.',
  },
  pl: {
    consent: 'Chcę otrzymywać nowości i oferty. Tę zgodę mogę wycofać w każdej chwili.',
  },
};
