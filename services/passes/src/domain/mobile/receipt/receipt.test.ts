import { currencyIn } from './currency';
import { dateOf } from './date';
import { merchantOf } from './merchant';
import { amountsIn } from './money';
import { factsOf } from './receipt';
import { totalOf } from './total';
import { folded } from './words';

const TODAY = '2026-11-21';

const RECEIPTS = {
  german: `Bäckerei Müller GmbH
Hauptstraße 12, 10115 Berlin
Datum: 14.03.2026   09:41

2x Brötchen         1,80 €
Käsekuchen          3,50 €
Zwischensumme       8,20 €
MwSt 7%             0,54 €
Gesamtbetrag        8,20 €
Bar                10,00 €
Rückgeld            1,80 €
Vielen Dank für Ihren Einkauf`,
  english: `*** RECEIPT ***
THE CORNER CAFE
221 Baker Street
Tel 020 7946 0000
03 Apr 2026 18:05
Flat white        3.40
Carrot cake       4.25
Subtotal          7.65
VAT 20%           1.28
TOTAL          £  7.65
Cash             10.00
Change            2.35`,
  american: `Joe's Diner
123 Main Street
04/03/2026 12:30 PM
Burger           $12.00
Fries             $4.50
SUBTOTAL         $16.50
TAX 8.25%         $1.36
TOTAL            $17.86
VISA ****1234    $17.86`,
  french: `BOULANGERIE DUPONT
5 rue de la Paix
75002 Paris
SIRET 123 456 789 00012
Le 02/01/2026
Croissant   2 x 1,20      2,40
Total HT                  2,27
TVA 5,5%                  0,13
TOTAL TTC           EUR   2,40
Espèces                   5,00
Rendu                     2,60`,
  spanish: `Panadería La Espiga S.L.
Calle Mayor 8
CIF: B12345678
Fecha: 5-6-2026
Barra              0,95
Base imponible     1.234,00
IVA 10%            123,40
TOTAL A PAGAR    1.357,40 €
Efectivo         1.400,00
Cambio              42,60`,
  polish: `PARAGON FISKALNY
Piekarnia Żółw
ul. Długa 5, 31-147 Kraków
NIP 676-000-11-22
2026-03-14
Chleb żytni      1 x 6,50
Drożdżówka       2 x 4,25
PODSUMA              15,00
SUMA PTU              1,11
SUMA PLN             15,00
Gotówka              20,00
Reszta                5,00`,
} as const;

test.each([
  ['german', 8.2, 'EUR', '2026-03-14', 'Bäckerei Müller GmbH'],
  ['english', 7.65, 'GBP', '2026-04-03', 'THE CORNER CAFE'],
  ['american', 17.86, 'USD', '2026-04-03', "Joe's Diner"],
  ['french', 2.4, 'EUR', '2026-01-02', 'BOULANGERIE DUPONT'],
  ['spanish', 1_357.4, 'EUR', '2026-06-05', 'Panadería La Espiga S.L.'],
  ['polish', 15, 'PLN', '2026-03-14', 'Piekarnia Żółw'],
] as const)('a %s receipt is understood', (name, amount, currency, date, merchant) => {
  expect(factsOf(RECEIPTS[name], TODAY)).toEqual({ amount, currency, date, merchant });
});

test.each(['', '   \n\n', '~~ | -- ..', 'lorem ipsum\n1234567890123'])(
  'what %j does not say is null',
  (text) => {
    const { amount, currency, date } = factsOf(text, TODAY);
    expect([amount, currency, date]).toEqual([null, null, null]);
  },
);

describe('amounts', () => {
  test.each([
    ['12.50', [12.5]],
    ['1.234,56', [1_234.56]],
    ['1,234.56', [1_234.56]],
    ['1 234,56 zł', [1_234.56]],
    ["1'234.50 CHF", [1_234.5]],
    ['8 ,20', [8.2]],
    ['2 x 4,25   8,50', [4.25, 8.5]],
    ['-1,50', [-1.5]],
    ['7,00%', []],
    ['5,50 %', []],
    ['14.03.2026', []],
    ['10:41', []],
    ['12.345', []],
    ['0049301234567', []],
  ])('in %j', (line, amounts) => {
    expect(amountsIn(line)).toEqual(amounts);
  });
});

describe('an amount whose cents were read as a column of their own', () => {
  const LINES = `Corner Shop
Laptop    $1,299.
Mouse        $23.
SUBTOTAL  $1,322.
TAX           $9.
TOTAL     $1,333.
VISA      $1,333.`;

  test.each(['00\n56\n56\n76\n32\n32', '00 56 56 76 32 32', '00 56 56\n76 32 32'])(
    'has them back where there are as many as amounts: %j',
    (cents) => {
      expect(factsOf(`${LINES}\n${cents}\nThank you`, TODAY)).toMatchObject({
        amount: 1_333.32,
        currency: 'USD',
      });
    },
  );

  test.each(['', '00 56', '00\n56\nThank you\n56\n76\n32\n32', '00 56 56 76 32 32 32'])(
    'is no amount where that is not sure: %j',
    (cents) => {
      expect(factsOf(`${LINES}\n${cents}`, TODAY).amount).toBeNull();
      expect(factsOf(`Coffee $3.40\n${LINES}\n${cents}`, TODAY).amount).toBeNull();
    },
  );
});

describe('the total', () => {
  test.each([
    [['TOTAL 8.20'], 8.2],
    [['T0TAL 8.20'], 8.2],
    [['T O T A L   8.20'], 8.2],
    [['Total', '8.20'], 8.2],
    [['Total', 'Visa card 8.20'], null],
    [['Total (incl. VAT 20%) 12.00', 'Total VAT 2.00'], 12],
    [['Total incl. 20% VAT 12.00'], 12],
    [['Total items 3', 'Total 12.00'], 12],
    [['Sub-Total 99.00', 'Total 12.00'], 12],
    [['Summe 20,00', 'zu zahlen 18,00'], 18],
    [['TOTAL 12.00', 'TOTAL EUR 12.00', 'Total discount 50.00'], 12],
    [['Coffee 3.00', 'Total ¥ 1200'], 1_200],
    [['Total 3 articles'], null],
    [['Coffee 3.40 €', 'Cake 4.25 €', 'Cash 50.00 €'], 4.25],
    [['Coffee 3.40', 'Cake 4.25'], null],
    [['Totally free'], null],
    [['Net à payer 9,99'], 9.99],
    [['RAZEM 21,37'], 21.37],
    [['Do zapłaty: 21,37 zł'], 21.37],
    [['Total 0.00', 'Grand total 5.00'], 5],
  ])('of %j is %p', (lines, amount) => {
    expect(totalOf(lines)?.amount ?? null).toBe(amount);
  });
});

describe('the currency', () => {
  test.each([
    ['8,20 €', 'EUR'],
    ['EUR 8,20', 'EUR'],
    ['$5', 'USD'],
    ['CA$ 5.00', 'CAD'],
    ['£5', 'GBP'],
    ['15,00 zł', 'PLN'],
    ['15,00 ZL', 'PLN'],
    ['120 Kč', 'CZK'],
    ['CHF 5.-', 'CHF'],
    ['1200 Ft', 'HUF'],
    ['soft drink', null],
    ['Zlotys', null],
    ['European', null],
  ])('of %j is %p', (text, code) => {
    expect(currencyIn(text)).toBe(code);
  });

  test('is that of the total before that of other lines', () => {
    const text = 'Shop\nCoffee 3.00 $\nCake 2.00 $\nTotal EUR 5.00';
    expect(factsOf(text, TODAY).currency).toBe('EUR');
  });
});

describe('the day', () => {
  const dayIn = (text: string, monthFirst = false) =>
    dateOf(text.split('\n'), { today: TODAY, monthFirst });

  test.each([
    ['14.03.2026', '2026-03-14'],
    ['14.3.26 09:41', '2026-03-14'],
    ['14/03/2026', '2026-03-14'],
    ['14-03-2026', '2026-03-14'],
    ['2026-03-14T09:41', '2026-03-14'],
    ['2026/03/14', '2026-03-14'],
    ['03/14/2026', '2026-03-14'],
    ['14 March 2026', '2026-03-14'],
    ['14th Mar, 2026', '2026-03-14'],
    ['March 14, 2026', '2026-03-14'],
    ['14. März 2026', '2026-03-14'],
    ['1er août 2026', '2026-08-01'],
    ['14 mars 2026', '2026-03-14'],
    ['14 de marzo de 2026', '2026-03-14'],
    ['14 marca 2026', '2026-03-14'],
    ['14 maja 2026', '2026-05-14'],
    ['14 października 2026', '2026-10-14'],
    ['14 décembre 2025', '2025-12-14'],
    ['31.02.2026', null],
    ['00.03.2026', null],
    ['14.03.2027', null],
    ['14 smarch 2026', null],
    ['Tel 030.12.34.56', null],
    ['12,50', null],
  ])('in %j is %p', (text, day) => {
    expect(dayIn(text)).toBe(day);
  });

  test('03/04 is read as the receipt’s currency has it', () => {
    expect(dayIn('03/04/2026')).toBe('2026-04-03');
    expect(dayIn('03/04/2026', true)).toBe('2026-03-04');
    expect(dayIn('03.04.2026', true)).toBe('2026-04-03');
  });

  test('that the receipt calls its date comes before any other', () => {
    expect(dayIn('Valid since 01.01.2026\nDatum 14.03.2026')).toBe('2026-03-14');
  });
});

describe('the merchant', () => {
  test.each([
    [['*** Corner Coffee ***'], 'Corner Coffee'],
    [['RECEIPT', 'Corner Coffee'], 'Corner Coffee'],
    [['||| 12 --', 'Willkommen', 'REWE Markt GmbH'], 'REWE Markt GmbH'],
    [['Hauptstraße 12', 'www.shop.de', 'Laden'], 'Laden'],
    [['Tel. 030 1234', '12345 Berlin', 'NIP 1234567890'], null],
    [['Coffee 3.40'], null],
    [['H & M'], null],
    [['7-Eleven'], '7-Eleven'],
  ])('of %j is %p', (lines, name) => {
    expect(merchantOf(lines)).toBe(name);
  });
});

test.each([
  ['Zażółć', 'zazolc'],
  ['Rückgeld', 'ruckgeld'],
  ['Straße', 'strasse'],
  ['SUMM3', 'summ3'],
  ['t0ta1 s', 'tota1 s'],
  ['S U M A  15', 'suma  15'],
])('%j is looked at as %j', (line, words) => {
  expect(folded(line)).toBe(words);
});
