// Before the first paint, so that nobody who works in the dark is blinded.
(() => {
  let kept = 'auto';
  try {
    kept = localStorage.getItem('mantine-color-scheme-value') ?? 'auto';
  } catch {
    // A browser that keeps nothing for pages.
  }
  const wished = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
  document.documentElement.dataset.mantineColorScheme = kept === 'auto' ? wished : kept;
})();
