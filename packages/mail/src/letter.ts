import {
  type Brand,
  type Letter,
  type LetterPart,
  languageOf,
  luminanceOf,
} from '@laurel/contract';
import { shopWords } from './shop-words';

/** What stands in a message, for mail programs that draw and for those that do not. */
export interface Written {
  subject: string;
  text: string;
  html: string;
  fromName?: string;
  replyTo?: string;
}

const PLATFORM: Brand = { name: 'Laurel', colour: '#1F6F54', logoUrl: null };

const COLOUR = /^#[0-9a-f]{6}$/i;
const WEB = /^https?:\/\//i;

/** Writes a letter both ways; nothing in it acts, and what was put into it stays text. */
export function writeLetter(letter: Letter): Written {
  const { subject, parts, brand } = letter;
  return {
    subject,
    text: `${[...parts.map((part) => plain(part, letter)), ...footerLines(letter)].join('\n\n')}\n`,
    html: drawn(letter),
    ...(brand ? { fromName: brand.name } : {}),
    ...(brand?.replyTo ? { replyTo: brand.replyTo } : {}),
  };
}

/** What leads to an address. French puts a space before the colon, at which no line may end. */
const leading = (words: string, { language }: Letter): string =>
  `${words}${languageOf(language) === 'fr' ? '\u00a0' : ''}:`;

/** Where the shop says what it does with addresses, and who it is. */
function footerPlaces({ language, brand }: Letter): { words: string; url: string }[] {
  const { privacy, imprint } = shopWords[languageOf(language)];
  const places = [
    { words: privacy, url: brand?.privacyUrl },
    { words: imprint, url: brand?.imprintUrl },
  ];
  return places.flatMap(({ words, url }) => (url && WEB.test(url) ? [{ words, url }] : []));
}

const footerLines = (letter: Letter): string[] => [
  ...(letter.why ? [letter.why] : []),
  ...footerPlaces(letter).map(({ words, url }) => `${leading(words, letter)} ${url}`),
];

function plain(part: LetterPart, letter: Letter): string {
  if ('text' in part) return part.text;
  if ('list' in part) return part.list.map((line) => `- ${line}`).join('\n');
  return `${leading(part.words, letter)}\n${part.url}`;
}

/** Tables and styles on the elements themselves: what mail programs have in common. */
function drawn(letter: Letter): string {
  const { language, subject, parts, brand = PLATFORM } = letter;
  const colour = COLOUR.test(brand.colour) ? brand.colour : PLATFORM.colour;
  const logo = WEB.test(brand.logoUrl ?? '') ? brand.logoUrl : null;
  const name = escapeHtml(brand.name);
  const head = logo
    ? `<img src="${escapeHtml(logo)}" alt="${name}" height="40" style="display:block;height:40px;max-width:240px;border:0">`
    : `<p style="margin:0;font-size:18px;font-weight:700">${name}</p>`;
  return `<!doctype html>
<html lang="${escapeHtml(language)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${escapeHtml(subject)}</title>
<style>
@media (prefers-color-scheme: dark) {
  .ground { background: #121613 !important; }
  .sheet { background: #1c221e !important; color: #eef2ef !important; }
  .soft, .soft a { color: #aeb8b2 !important; border-color: #39423c !important; }
  .code { background: #121613 !important; color: #eef2ef !important; }
}
</style>
</head>
<body class="ground" style="margin:0;padding:0;background:#f5f6f4">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" class="ground" style="background:#f5f6f4">
<tr><td align="center" style="padding:24px 12px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" class="sheet" style="max-width:560px;background:#ffffff;color:#17201b;border-top:6px solid ${colour};border-radius:8px;font:16px/1.5 system-ui,-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif">
<tr><td style="padding:24px 24px 0">${head}</td></tr>
<tr><td style="padding:16px 24px 24px;overflow-wrap:anywhere">
${parts.map((part) => piece(part, letter, colour)).join('\n')}
</td></tr>${footer(letter)}
</table>
</td></tr>
</table>
</body>
</html>
`;
}

function footer(letter: Letter): string {
  const places = footerPlaces(letter).map(
    ({ words, url }) =>
      `<a href="${escapeHtml(url)}" style="color:#55605a">${escapeHtml(words)}</a>`,
  );
  const lines = [...(letter.why ? [escapeHtml(letter.why)] : []), places.join(' · ')];
  const content = lines.filter((line) => line !== '').join('<br>');
  if (content === '') return '';
  return `
<tr><td class="soft" style="padding:16px 24px 24px;border-top:1px solid #dfe4e0;font-size:13px;color:#55605a;overflow-wrap:anywhere">${content}</td></tr>`;
}

function piece(part: LetterPart, letter: Letter, colour: string): string {
  if ('list' in part) {
    const lines = part.list.map((line) => `<li>${escapeHtml(line)}</li>`).join('');
    return `<ul style="margin:0 0 16px;padding-left:20px">${lines}</ul>`;
  }
  if ('url' in part) return button(part, leading(part.words, letter), colour);
  const { text, code } = part;
  const box = code === undefined ? '' : codeBox(code);
  if (text === code) return box;
  const lines = text.split('\n').map(escapeHtml).join('<br>');
  return `<p style="margin:0 0 16px">${lines}</p>${box}`;
}

const codeBox = (code: string): string =>
  `\n<p class="code" style="margin:0 0 16px;padding:16px;background:#f5f6f4;border-radius:8px;font-size:32px;font-weight:700;letter-spacing:6px;text-align:center">${escapeHtml(code)}</p>`;

type Place = Extract<LetterPart, { url: string }>;

function button(
  { words, url, button: label, isMain = false }: Place,
  before: string,
  colour: string,
): string {
  const address = escapeHtml(url);
  const look = isMain
    ? `background:${colour};color:${inkOn(colour)};border:2px solid ${colour}`
    : `background:#ffffff;color:#17201b;border:2px solid #7d8781`;
  const lead = label === undefined ? '' : `<p style="margin:0 0 8px">${escapeHtml(before)}</p>\n`;
  return `${lead}<p style="margin:0 0 8px"><a href="${address}" style="display:inline-block;padding:12px 20px;border-radius:8px;font-weight:600;text-decoration:none;${look}">${escapeHtml(label ?? words)}</a></p>
<p class="soft" style="margin:0 0 16px;font-size:13px;color:#55605a">${address}</p>`;
}

/** Black or white, whichever is read better on a colour. */
const inkOn = (colour: string): string => (luminanceOf(colour) > 0.179 ? '#000000' : '#ffffff');

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Text as it stands in a mail that is drawn, between tags or in a quoted attribute. */
export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (sign) => ENTITIES[sign]!);
