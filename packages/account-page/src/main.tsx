import '@laurel/page-kit/styles/base.css';
import '../styles/account.css';
import { languageOf } from '@laurel/page-kit';
import { render } from 'preact';
import { App } from './app';
import { LANGUAGES, loadLanguage } from './language';
import { takeToken } from './take-token';

// Before anything else runs that may look at the address.
const token = takeToken(location, history);

const language = await loadLanguage(languageOf(navigator.languages, LANGUAGES));
document.documentElement.lang = language.locale;
render(<App language={language} token={token} />, document.getElementById('app')!);
