import type { Language } from '@laurel/contract';

interface Sentence {
  title: string;
  text: string;
}

interface Words {
  home: Sentence & { docs: string; signIn: string };
  noPortal: Sentence;
  lost: Sentence;
  unavailable: Sentence;
  needsScript: string;
}

/** What the gateway itself says on pages; pages with a script of their own bring their own words. */
export const words: Readonly<Record<Language, Words>> = {
  en: {
    home: {
      title: 'You have found Laurel',
      text: 'Loyalty programmes of shops live here. To see your points, open the link that your shop gave you, or the one on the back of your card.',
      docs: 'For developers: the API',
      signIn: 'For shops: sign in',
    },
    noPortal: {
      title: 'There is no customer portal here',
      text: 'The address may be mistyped, or the portal is switched off. Please ask your shop for its link.',
    },
    lost: {
      title: 'There is nothing here',
      text: 'The link may be mistyped, or no longer valid. Please ask the shop that gave it to you.',
    },
    unavailable: {
      title: 'Just a moment, please',
      text: 'This page cannot be shown right now. Please try again in a minute.',
    },
    needsScript: 'This page needs JavaScript. Please switch it on in your browser.',
  },
  de: {
    home: {
      title: 'Hier ist Laurel',
      text: 'Hier sind Treueprogramme von Geschäften zu Hause. Ihre Punkte sehen Sie über den Link, den Ihr Geschäft Ihnen gegeben hat, oder über den auf der Rückseite Ihrer Karte.',
      docs: 'Für Entwickler: die API',
      signIn: 'Für Geschäfte: anmelden',
    },
    noPortal: {
      title: 'Hier gibt es kein Kundenportal',
      text: 'Vielleicht ist die Adresse vertippt, oder das Portal ist abgeschaltet. Bitte fragen Sie Ihr Geschäft nach dem Link.',
    },
    lost: {
      title: 'Hier ist nichts',
      text: 'Vielleicht ist der Link vertippt oder nicht mehr gültig. Bitte fragen Sie das Geschäft, von dem Sie ihn haben.',
    },
    unavailable: {
      title: 'Einen Moment bitte',
      text: 'Diese Seite kann gerade nicht gezeigt werden. Bitte versuchen Sie es in einer Minute noch einmal.',
    },
    needsScript: 'Diese Seite braucht JavaScript. Bitte schalten Sie es in Ihrem Browser ein.',
  },
  fr: {
    home: {
      title: 'Vous êtes chez Laurel',
      text: 'Des programmes de fidélité de commerces vivent ici. Pour voir vos points, ouvrez le lien que votre commerce vous a donné, ou celui au dos de votre carte.',
      docs: 'Pour les développeurs : l’API',
      signIn: 'Pour les commerces : se connecter',
    },
    noPortal: {
      title: 'Il n’y a pas d’espace client ici',
      text: 'L’adresse est peut-être mal saisie, ou l’espace est désactivé. Demandez le lien à votre commerce.',
    },
    lost: {
      title: 'Il n’y a rien ici',
      text: 'Le lien est peut-être mal saisi ou n’est plus valable. Demandez au commerce qui vous l’a donné.',
    },
    unavailable: {
      title: 'Un instant, s’il vous plaît',
      text: 'Cette page ne peut pas s’afficher pour le moment. Veuillez réessayer dans une minute.',
    },
    needsScript: 'Cette page a besoin de JavaScript. Veuillez l’activer dans votre navigateur.',
  },
  es: {
    home: {
      title: 'Ha llegado a Laurel',
      text: 'Aquí viven programas de fidelidad de comercios. Para ver sus puntos, abra el enlace que le dio su comercio o el del reverso de su tarjeta.',
      docs: 'Para desarrolladores: la API',
      signIn: 'Para comercios: iniciar sesión',
    },
    noPortal: {
      title: 'Aquí no hay ningún portal de clientes',
      text: 'Puede que la dirección esté mal escrita o que el portal esté desactivado. Pida el enlace a su comercio.',
    },
    lost: {
      title: 'Aquí no hay nada',
      text: 'Puede que el enlace esté mal escrito o ya no sea válido. Pregunte al comercio que se lo dio.',
    },
    unavailable: {
      title: 'Un momento, por favor',
      text: 'Esta página no se puede mostrar ahora. Vuelva a intentarlo dentro de un minuto.',
    },
    needsScript: 'Esta página necesita JavaScript. Actívelo en su navegador.',
  },
  pl: {
    home: {
      title: 'Tu mieszka Laurel',
      text: 'Działają tu programy lojalnościowe sklepów. Aby zobaczyć swoje punkty, otwórz link otrzymany od sklepu albo ten z odwrotu karty.',
      docs: 'Dla programistów: API',
      signIn: 'Dla sklepów: logowanie',
    },
    noPortal: {
      title: 'Nie ma tu portalu klienta',
      text: 'Adres może być błędny albo portal jest wyłączony. Poproś sklep o link.',
    },
    lost: {
      title: 'Nic tu nie ma',
      text: 'Link może być błędny albo już nieważny. Zapytaj sklep, od którego go masz.',
    },
    unavailable: {
      title: 'Chwileczkę',
      text: 'Tej strony nie można teraz pokazać. Spróbuj ponownie za minutę.',
    },
    needsScript: 'Ta strona wymaga JavaScriptu. Włącz go w przeglądarce.',
  },
};
