import { createHash } from 'node:crypto';
import type { Language } from '@laurel/contract';
import type { Response } from 'express';
import { text } from '../markup';
import { icon } from './icon';

const STYLE = `
:root { color-scheme: light dark; --bg: #f6f7f4; --ink: #17201c; --muted: #4b5650; --accent: #1f6f54; }
@media (prefers-color-scheme: dark) { :root { --bg: #101412; --ink: #f5f8f6; --muted: #b4beb8; --accent: #7fd1b0; } }
* { box-sizing: border-box; }
body { display: grid; min-height: 100vh; margin: 0; padding: 1.5rem; place-content: center; background: var(--bg); color: var(--ink); font: 400 1.0625rem/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif; }
main { max-width: 30rem; text-align: center; }
svg { width: 3rem; height: 3rem; }
h1 { margin: 1rem 0 .5rem; font-size: 1.75rem; line-height: 1.2; text-wrap: balance; }
p { margin: 0 0 1rem; color: var(--muted); text-wrap: pretty; }
a { color: var(--accent); font-weight: 600; }
`;
/** The page runs nothing and is styled by this one element. */
const POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');
const LEAF =
  '<svg viewBox="0 0 32 32" aria-hidden="true"><rect width="32" height="32" rx="9" fill="#1f6f54"/><path d="M9 23C9 13 15 8 24 8c0 9-5 15-15 15Zm0 0 7-7" fill="none" stroke="#fff" stroke-width="2" stroke-linecap="round"/></svg>';

export interface PlainPage {
  status: number;
  language: Language;
  title: string;
  text: string;
  links?: readonly { href: string; words: string }[];
}

/** A page of a few words, for places where there is nothing else to show. No cache keeps it. */
export function sendPlainPage(response: Response, page: PlainPage): void {
  response
    .status(page.status)
    .set({
      'Content-Security-Policy': POLICY,
      'Cache-Control': 'no-store',
      Vary: 'Accept-Language',
    })
    .type('html')
    .send(render(page));
}

function render({ language, title, text: sentence, links = [] }: PlainPage): string {
  return `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<title>${text(title)}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<link rel="icon" href="${text(icon('L', '#1F6F54'))}">
<style>${STYLE}</style>
</head>
<body>
<main>${LEAF}
<h1>${text(title)}</h1>
<p>${text(sentence)}</p>
${links.map((link) => `<p><a href="${text(link.href)}">${text(link.words)}</a></p>\n`).join('')}</main>
</body>
</html>
`;
}
