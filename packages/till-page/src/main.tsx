import '@laurel/page-kit/styles/base.css';
import '../styles/till.css';
import { languageOf } from '@laurel/page-kit';
import { render } from 'preact';
import { App } from './app';
import { LANGUAGES } from './language';
import { takePairing } from './pairing-link';
import { openWishStore } from './queue/store';
import { watchForUpdate } from './update';

// The service worker stands below /till/ and takes over what was opened there: an address that is only renamed stays outside.
if (location.pathname === '/till') {
  location.replace(`/till/${location.hash}`);
  await new Promise(() => undefined);
}
// Before anything else runs that may look at the address.
const pairing = takePairing(location, history);

const language = await LANGUAGES.load(languageOf(navigator.languages, LANGUAGES.spoken));
document.title = language.say('title');
watchForUpdate();
const store = await openWishStore();
render(
  <App language={language} store={store} pairing={pairing} />,
  document.getElementById('app')!,
);
