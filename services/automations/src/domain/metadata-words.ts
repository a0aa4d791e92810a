import type { Language, TriggerType } from '@laurel/contract';

/** What the parts of rules are called beyond English, whose words stand beside the parts. */
interface MetadataWords {
  triggers: Readonly<Record<TriggerType, string>>;
  /** By event category. */
  categories: Readonly<Record<string, string>>;
  /** What the variables of formulas are about, by their first word. */
  variables: Readonly<Record<string, string>>;
}

export const metadataWords: Readonly<Partial<Record<Language, MetadataWords>>> = {
  de: {
    triggers: {
      transaction: 'Einkauf',
      custom_event: 'Eigenes Ereignis',
      field_change: 'Geändertes Feld',
      pass_lifecycle: 'Karte auf dem Telefon',
      time_based: 'Zeitplan',
      loyalty: 'Punkte, Stufen, Prämien',
      referral: 'Empfehlung',
    },
    categories: {
      transaction: 'Einkäufe',
      custom: 'Eigene Ereignisse',
      engagement: 'Beteiligung',
      field_change: 'Geänderte Felder',
      pass_lifecycle: 'Karten auf Telefonen',
      loyalty: 'Punkte, Stufen, Prämien',
      referral: 'Empfehlungen',
    },
    variables: {
      client: 'des Kunden',
      event: 'des Ereignisses, das die Regel auslöst; ein Text, den es nicht hat, ist leer',
      wallet: 'Punkte im Konto mit diesem Kürzel',
      tier: 'der Stufe des Kunden; leer und 0 ohne eine',
      metrics: 'des Kunden über die ganze Zeit',
      now: 'der Augenblick der Entscheidung; bei einem Zeitplan der, zu dem er fällig war',
    },
  },
  fr: {
    triggers: {
      transaction: 'Achat',
      custom_event: 'Événement propre',
      field_change: 'Champ modifié',
      pass_lifecycle: 'Carte sur le téléphone',
      time_based: 'Horaire',
      loyalty: 'Points, paliers, récompenses',
      referral: 'Parrainage',
    },
    categories: {
      transaction: 'Achats',
      custom: 'Événements propres',
      engagement: 'Engagement',
      field_change: 'Champs modifiés',
      pass_lifecycle: 'Cartes sur les téléphones',
      loyalty: 'Points, paliers, récompenses',
      referral: 'Parrainages',
    },
    variables: {
      client: 'du client',
      event: 'de l’événement qui déclenche la règle ; un texte qu’il n’a pas est vide',
      wallet: 'points du compte de ce code',
      tier: 'du palier du client ; vide et 0 sans palier',
      metrics: 'du client depuis toujours',
      now: 'l’instant de la décision ; pour un horaire, celui auquel il était prévu',
    },
  },
  es: {
    triggers: {
      transaction: 'Compra',
      custom_event: 'Evento propio',
      field_change: 'Campo cambiado',
      pass_lifecycle: 'Tarjeta en el teléfono',
      time_based: 'Horario',
      loyalty: 'Puntos, niveles, recompensas',
      referral: 'Recomendación',
    },
    categories: {
      transaction: 'Compras',
      custom: 'Eventos propios',
      engagement: 'Participación',
      field_change: 'Campos cambiados',
      pass_lifecycle: 'Tarjetas en teléfonos',
      loyalty: 'Puntos, niveles, recompensas',
      referral: 'Recomendaciones',
    },
    variables: {
      client: 'del cliente',
      event: 'del evento que dispara la regla; un texto que no tiene está vacío',
      wallet: 'puntos en la cuenta con este código',
      tier: 'del nivel del cliente; vacío y 0 sin nivel',
      metrics: 'del cliente en todo el tiempo',
      now: 'el momento de la decisión; en un horario, aquel en que tocaba',
    },
  },
  pl: {
    triggers: {
      transaction: 'Zakup',
      custom_event: 'Własne zdarzenie',
      field_change: 'Zmiana pola',
      pass_lifecycle: 'Karta w telefonie',
      time_based: 'Harmonogram',
      loyalty: 'Punkty, poziomy, nagrody',
      referral: 'Polecenie',
    },
    categories: {
      transaction: 'Zakupy',
      custom: 'Własne zdarzenia',
      engagement: 'Zaangażowanie',
      field_change: 'Zmiany pól',
      pass_lifecycle: 'Karty w telefonach',
      loyalty: 'Punkty, poziomy, nagrody',
      referral: 'Polecenia',
    },
    variables: {
      client: 'klienta',
      event: 'zdarzenia, które uruchamia regułę; tekst, którego nie ma, jest pusty',
      wallet: 'punkty na koncie o tym kodzie',
      tier: 'poziomu klienta; puste i 0 bez poziomu',
      metrics: 'klienta przez cały czas',
      now: 'chwila decyzji; w harmonogramie ta, na którą przypadał',
    },
  },
};
