import '@laurel/page-kit/styles/base.css';
import '@laurel/page-kit/styles/poster.css';
import '../styles/account.css';
import { languageOf } from '@laurel/page-kit';
import { render } from 'preact';
import { App } from './app';
import { LANGUAGES } from './language';
import { takeToken } from './take-token';

// Before anything else runs that may look at the address.
const token = takeToken(location, history);

const language = await LANGUAGES.load(languageOf(navigator.languages, LANGUAGES.spoken));
render(<App language={language} token={token} />, document.getElementById('app')!);
