import { addCopyButtons } from './copy.ts';
import { startSearch } from './search-box.ts';
import { addTryButtons } from './try-it/buttons.ts';

addCopyButtons(document);
const search = document.querySelector<HTMLElement>('.search');
if (search) startSearch(search);
const reference = document.querySelector('[data-operations]');
if (reference) addTryButtons(reference);
