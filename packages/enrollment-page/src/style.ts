/** How the form looks, on the page and in the shadow root of a widget; colours and font can be set from outside. */
const CSS = `
.laurel {
  --primary: var(--laurel-primary, #14532d);
  --surface: var(--laurel-surface, #ffffff);
  --text: var(--laurel-text, #1c1917);
  --muted: var(--laurel-muted, #57534e);
  --line: #78716c;
  --wrong: var(--laurel-wrong, #b91c1c);
  --field: var(--laurel-field, #ffffff);
  --edge: var(--laurel-edge, #000000);
  box-sizing: border-box;
  max-width: 28em;
  margin: 0 auto;
  padding: 1.5em 1.25em;
  border-radius: 1em;
  background: var(--surface);
  color: var(--text);
  font: 400 var(--laurel-font-size, 16px)/1.5 var(--laurel-font, system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif);
  text-align: start;
}
/* Dark where the page around it is: a widget follows its host's color-scheme, a page of ours the device. */
@supports (color: light-dark(#000000, #ffffff)) {
  .laurel {
    --surface: var(--laurel-surface, light-dark(#ffffff, #1c1917));
    --text: var(--laurel-text, light-dark(#1c1917, #fafaf9));
    --muted: var(--laurel-muted, light-dark(#57534e, #d6d3d1));
    --line: light-dark(#78716c, #8c857f);
    --wrong: var(--laurel-wrong, light-dark(#b91c1c, #fca5a5));
    --field: var(--laurel-field, light-dark(#ffffff, #292524));
    --edge: var(--laurel-edge, light-dark(#000000, #a8a29e));
  }
}
.laurel *, .laurel *::before { box-sizing: border-box; }
.laurel h1, .laurel h2 { margin: 0 0 .5em; font-size: 1.5em; line-height: 1.2; overflow-wrap: anywhere; }
.laurel h1:focus, .laurel h2:focus { outline: none; }
.laurel p { margin: 0 0 1em; }
.laurel .lead { color: var(--muted); }
.laurel form { display: grid; grid-template-columns: minmax(0, 1fr); gap: 1em; }
.laurel .question { display: grid; grid-template-columns: minmax(0, 1fr); gap: .25em; overflow-wrap: anywhere; }
.laurel label { font-weight: 600; }
.laurel .optional { font-weight: 400; color: var(--muted); }
.laurel input:not([type='checkbox']), .laurel select, .laurel textarea {
  width: 100%;
  min-height: 2.75em;
  padding: .5em .75em;
  border: 1px solid var(--line);
  border-radius: .5em;
  background: var(--field);
  color: var(--text);
  font: inherit;
}
.laurel .tick { grid-template-columns: 1.5em minmax(0, 1fr); column-gap: .5em; align-items: start; }
.laurel .tick label { font-weight: 400; }
.laurel .tick .error { grid-column: 1 / -1; }
.laurel input[type='checkbox'] { width: 1.5em; height: 1.5em; margin: 0; accent-color: var(--primary); }
.laurel input[aria-invalid='true'], .laurel select[aria-invalid='true'], .laurel textarea[aria-invalid='true'] {
  border-color: var(--wrong);
}
.laurel .error, .laurel .notice { margin: 0; color: var(--wrong); }
.laurel .notice:empty { display: none; }
.laurel :focus-visible { outline: 3px solid var(--text); outline-offset: 2px; }
.laurel .primary, .laurel .wallet {
  display: block;
  width: 100%;
  min-height: 3em;
  padding: .75em 1em;
  border: 0;
  border-radius: .75em;
  background: var(--primary);
  color: var(--laurel-on-primary, #ffffff);
  font: inherit;
  font-weight: 600;
  text-align: center;
  text-decoration: none;
  cursor: pointer;
}
.laurel .primary[aria-disabled='true'] { opacity: .7; cursor: progress; }
.laurel .wallets { display: grid; gap: .75em; }
.laurel .wallet { border: 1px solid var(--edge); background: #000000; color: #ffffff; }
.laurel .scan { margin: .75em 0 0; color: var(--muted); text-align: center; }
.laurel .codes { display: grid; grid-template-columns: 1fr 1fr; gap: 1em; }
.laurel figure { margin: 0; text-align: center; }
.laurel figure svg { display: block; width: 100%; height: auto; background: #ffffff; border-radius: .5em; }
.laurel figcaption { margin-top: .25em; color: var(--muted); }
.laurel .policies { display: flex; flex-wrap: wrap; gap: .5em 1.25em; margin: 0; color: var(--muted); }
.laurel > .policies { margin-bottom: 1em; }
.laurel .policies a { color: inherit; }
.laurel .answers { margin: 0 0 1em; padding: 1em; border: 1px solid var(--line); border-radius: .75em; overflow-wrap: anywhere; }
.laurel .answers h2 { font-size: 1em; }
.laurel .answers dl { display: grid; grid-template-columns: minmax(6em, auto) 1fr; gap: .25em 1em; margin: 0; }
.laurel .answers dt { color: var(--muted); }
.laurel .answers dd { margin: 0; }
.laurel .answers blockquote { margin: 0; }
.laurel .ignore { margin: 1em 0 0; color: var(--muted); }
.laurel .portal { display: block; margin-top: 1em; padding: .75em; color: inherit; text-align: center; }
.laurel .languages { margin: 1.5em 0 0; text-align: center; }
.laurel .languages select { width: auto; }
.laurel [hidden] { display: none; }
`;

/** A stylesheet of its own for each tree; it needs no permission of the page's content security policy. */
export function formStyle(): CSSStyleSheet {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(CSS);
  return sheet;
}

/** Paints buttons in a colour, with whichever of black and white is read better on it. */
export function usePrimaryColor({ style }: HTMLElement, color: string): void {
  style.setProperty('--laurel-primary', color);
  style.setProperty('--laurel-on-primary', isLight(color) ? '#000000' : '#ffffff');
}

/** Relative luminance as WCAG 2 defines it; black and white contrast alike where it is 0.18. */
export function isLight(color: string): boolean {
  const [, hex] = /^#([0-9a-f]{6})$/i.exec(color.trim()) ?? [];
  if (hex === undefined) return false;
  const [red, green, blue] = [0, 2, 4].map((at) => {
    const share = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.179;
}
