import type { Language } from '@laurel/contract';

/** What stands on cards besides what a workspace writes there. */
export interface CardWording {
  news: string;
  benefits: (tier: string | null) => string;
  availableRewards: string;
  activeRewards: string;
  portal: string;
  referralCode: string;
  app: string;
}

export const cardWordings: Record<Language, CardWording> = {
  en: {
    news: 'Latest news',
    benefits: (tier) => (tier ? `Your ${tier} benefits` : 'Your benefits'),
    availableRewards: 'Rewards for you',
    activeRewards: 'Your rewards',
    portal: 'Your account',
    referralCode: 'Your referral code',
    app: 'App',
  },
  de: {
    news: 'Neuigkeiten',
    benefits: (tier) => (tier ? `Ihre Vorteile mit ${tier}` : 'Ihre Vorteile'),
    availableRewards: 'Prämien für Sie',
    activeRewards: 'Ihre Prämien',
    portal: 'Ihr Konto',
    referralCode: 'Ihr Empfehlungscode',
    app: 'App',
  },
  fr: {
    news: 'Actualités',
    benefits: (tier) => (tier ? `Vos avantages ${tier}` : 'Vos avantages'),
    availableRewards: 'Récompenses pour vous',
    activeRewards: 'Vos récompenses',
    portal: 'Votre compte',
    referralCode: 'Votre code de parrainage',
    app: 'Application',
  },
  es: {
    news: 'Novedades',
    benefits: (tier) => (tier ? `Sus ventajas ${tier}` : 'Sus ventajas'),
    availableRewards: 'Recompensas para usted',
    activeRewards: 'Sus recompensas',
    portal: 'Su cuenta',
    referralCode: 'Su código de recomendación',
    app: 'Aplicación',
  },
  pl: {
    news: 'Aktualności',
    benefits: (tier) => (tier ? `Twoje korzyści ${tier}` : 'Twoje korzyści'),
    availableRewards: 'Nagrody dla Ciebie',
    activeRewards: 'Twoje nagrody',
    portal: 'Twoje konto',
    referralCode: 'Twój kod polecający',
    app: 'Aplikacja',
  },
};
