import type { MailWords } from './en';

export const fr: MailWords = {
  resetSubject: 'Réinitialisez votre mot de passe',
  resetLead: 'Quelqu’un a demandé à réinitialiser le mot de passe de votre compte.',
  resetLink: 'Pour en choisir un nouveau, suivez ce lien dans l’heure',
  choosePassword: 'Choisir un mot de passe',
  earlierToken:
    'Le compte a une clé API que quelqu’un a peut-être créée avant vous. Elle reste valable jusqu’à ce que vous rejoigniez ou ouvriez un espace. Si elle n’est pas de vous, révoquez-la.',
  notYou: 'Si ce n’était pas vous, vous n’avez rien à faire.',
  verifySubject: 'Confirmez votre adresse e-mail',
  verifyLead: 'Quelqu’un a ouvert un compte avec cette adresse e-mail.',
  verifyLink: 'Si c’était vous, suivez ce lien dans les 48 heures pour confirmer l’adresse',
  verifyButton: 'Confirmer l’adresse',
  verifyNotYou:
    'Sinon, ne le suivez pas. Le compte ne reçoit rien de ce qui vous est destiné.\nPour le faire vôtre, demandez un lien par « mot de passe oublié » : son mot de passe et ses sessions prennent alors fin.',
  firstSubject: 'Votre compte est prêt',
  firstLead: 'Le premier compte de cette installation est à vous.',
  firstLink: 'Pour choisir son mot de passe, suivez ce lien dans les 48 heures',
  firstAfter: 'Ensuite, demandez un lien par « mot de passe oublié ».',
  webhookSubject: (shop) => `Un webhook de ${shop} a été désactivé`,
  webhookGone: 'il a répondu qu’il n’existe plus (410)',
  webhookFailing: 'toutes les tentatives des cinq derniers jours ont échoué',
  webhookLead: (shop, url, why) =>
    `Les événements de ${shop} ne sont plus envoyés à ${url} : ${why}.`,
  webhookNext: 'Ce qui attendait est conservé. Réparez le destinataire, puis réactivez le webhook.',
  companySubject: 'Qui d’autre est dans vos espaces',
  companyLead:
    'Vous venez de montrer que cette adresse e-mail est la vôtre. Avant cela, quelqu’un d’autre a pu utiliser le compte.\nCes personnes sont dans des espaces qu’il a ouverts :',
  companyMore: (count) => `et ${count} de plus`,
  companyNext:
    'Retirez de l’équipe qui vous est inconnu ; regardez aussi les webhooks et les intégrations.\nLes invitations que personne n’avait acceptées ont pris fin.',
};
