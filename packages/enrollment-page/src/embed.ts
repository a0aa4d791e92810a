// The script that pages of others load: classic, small, and alone in the page's name space. It finds the tags that no
// form was made for yet, so that it also works where it was added late or stands on the page several times.
(() => {
  const current = document.currentScript;
  const scripts = current
    ? [current]
    : [...document.querySelectorAll('script[data-token][src$="/embed.js"]')];
  for (const script of scripts as HTMLScriptElement[]) {
    if (!script.dataset.token || script.dataset.laurel === 'mounted') continue;
    script.dataset.laurel = 'mounted';
    const widget = new URL('/enrollment/widget.js', script.src).href;
    const load = () =>
      import(widget).then(({ mountWidget }: typeof import('./widget.ts')) => mountWidget(script));
    load().catch((error: unknown) => console.error('the enrollment form was not loaded', error));
  }
})();
