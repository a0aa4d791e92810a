import { addCopyButtons } from './copy.ts';
import { startSearch } from './search-box.ts';

addCopyButtons(document);
const search = document.querySelector<HTMLElement>('.search');
if (search) startSearch(search);
