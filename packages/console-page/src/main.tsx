import './styles';
import '../styles/console.css';
import { languageOf } from '@laurel/page-kit/language';
import { setNonce } from 'get-nonce';
import { createRoot } from 'react-dom/client';
import { App } from './app';
import { keptLocale, LANGUAGES } from './language';

/** Vite writes it into the page as a meta element; browsers hide the attribute of scripts, but not this property. */
const nonce = document.querySelector<HTMLMetaElement>('meta[property=csp-nonce]')?.nonce ?? '';
// Mantine does not pass its own on to what locks the scrolling behind a sheet.
setNonce(nonce);

const wanted = [keptLocale(), ...navigator.languages].filter((locale) => locale !== null);
const language = await LANGUAGES.load(languageOf(wanted, LANGUAGES.spoken));
createRoot(document.getElementById('app')!).render(<App first={language} nonce={nonce} />);
