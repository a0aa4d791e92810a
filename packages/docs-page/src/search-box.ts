import { type Found, find, type SearchIndex } from './find.ts';

/** Without the index the box finds nothing. */
const nothingFound = (): undefined => undefined;

/** The box in the head of every page. Its index is fetched with the first key, as most readers never search. */
export function startSearch(search: HTMLElement): void {
  const input = search.querySelector('input')!;
  const box = search.querySelector<HTMLElement>('.found')!;
  let index: Promise<SearchIndex> | undefined;
  const load = (): Promise<SearchIndex> => {
    index ??= fetch(search.dataset.index!).then((answer) => answer.json());
    // Without a network the next key asks again.
    index.catch(() => {
      index = undefined;
    });
    return index;
  };
  input.addEventListener('input', async () => {
    const typed = input.value;
    const loaded = await load().catch(nothingFound);
    if (!loaded) return;
    // Somebody may have typed on meanwhile.
    if (typed === input.value) show(box, typed, find(loaded, typed));
  });
  search.addEventListener('keydown', (event) => moveAmong(search, event));
  search.addEventListener('focusout', (event) => {
    if (!search.contains(event.relatedTarget as Node | null)) box.hidden = true;
  });
  document.addEventListener('keydown', (event) => {
    const isTyping = event.target instanceof HTMLElement && event.target.matches('input');
    if (event.key !== '/' || isTyping) return;
    event.preventDefault();
    input.focus();
  });
}

function show(box: HTMLElement, typed: string, found: readonly Found[]): void {
  box.hidden = typed.trim() === '';
  box.querySelector('[role=status]')!.textContent =
    found.length === 0 ? 'Nothing found' : `${found.length} found`;
  const rows = found.map(({ address, heading, page }) => {
    const link = document.createElement('a');
    link.href = address;
    const place = document.createElement('span');
    place.textContent = page;
    link.append(heading, place);
    const row = document.createElement('li');
    row.append(link);
    return row;
  });
  if (rows.length === 0) {
    const nothing = document.createElement('li');
    nothing.textContent = 'Nothing found. Try a word of the API, such as "redeem".';
    rows.push(nothing);
  }
  box.querySelector('ul')!.replaceChildren(...rows);
}

/** Arrows go from the box through what was found and back; Escape leaves; Enter in the box opens the first. */
function moveAmong(search: HTMLElement, event: KeyboardEvent): void {
  const stops = [...search.querySelectorAll<HTMLElement>('input, .found:not([hidden]) a')];
  const at = stops.indexOf(event.target as HTMLElement);
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (step !== undefined) {
    event.preventDefault();
    stops[at + step]?.focus();
  }
  if (event.key === 'Enter' && at === 0) stops[1]?.click();
  if (event.key !== 'Escape') return;
  stops[0]!.focus();
  search.querySelector<HTMLElement>('.found')!.hidden = true;
}
