import type { MailWords } from './en';

export const pl: MailWords = {
  resetSubject: 'Ustaw nowe hasło',
  resetLead: 'Ktoś poprosił o zmianę hasła do Twojego konta.',
  resetLink: 'Aby wybrać nowe, otwórz ten link w ciągu godziny',
  choosePassword: 'Wybierz nowe hasło',
  earlierToken:
    'Konto ma klucz API, który mógł utworzyć ktoś przed Tobą. Działa, dopóki nie dołączysz do obszaru roboczego lub go nie otworzysz. Jeśli nie jest Twój, unieważnij go.',
  notYou: 'Jeśli to nie Ty, nie musisz nic robić.',
  verifySubject: 'Potwierdź swój adres e-mail',
  verifyLead: 'Ktoś założył konto z tym adresem e-mail.',
  verifyLink: 'Jeśli to Ty, otwórz ten link w ciągu 48 godzin, aby potwierdzić adres',
  verifyButton: 'Potwierdź adres',
  verifyNotYou:
    'Jeśli nie, nie otwieraj go. Konto nie dostaje niczego, co jest przeznaczone dla Ciebie.\nAby je przejąć, poproś o link przez „nie pamiętam hasła”: jego hasło i sesje przestaną wtedy działać.',
  firstSubject: 'Twoje konto jest gotowe',
  firstLead: 'Pierwsze konto tej instalacji należy do Ciebie.',
  firstLink: 'Aby wybrać hasło, otwórz ten link w ciągu 48 godzin',
  firstAfter: 'Potem poproś o link przez „nie pamiętam hasła”.',
  webhookSubject: (shop) => `Wyłączono webhook ${shop}`,
  webhookGone: 'odpowiedział, że już go nie ma (410)',
  webhookFailing: 'wszystkie próby z ostatnich pięciu dni się nie powiodły',
  webhookLead: (shop, url, why) => `Zdarzenia ${shop} nie są już wysyłane do ${url}: ${why}.`,
  webhookNext: 'To, co czekało, jest zachowane. Napraw odbiorcę i włącz webhook ponownie.',
  companySubject: 'Kto jeszcze jest w Twoich obszarach',
  companyLead:
    'Właśnie wykazano, że ten adres e-mail należy do Ciebie. Wcześniej konta mógł używać ktoś inny.\nTe osoby są w obszarach, które ono otworzyło:',
  companyMore: (count) => `i jeszcze ${count}`,
  companyNext:
    'Kogo nie znasz, usuń z zespołu; sprawdź też webhooki i integracje.\nZaproszenia, których nikt nie przyjął, wygasły.',
};
