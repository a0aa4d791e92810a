import { useConsole } from '../console';
import { LANGUAGES, type Say } from '../language';

/** The words of the shop's customers and staff: their screens are not in the language of the member who set them up. */
export function useShopWords(): () => Promise<Say> {
  const { settings } = useConsole();
  return async () => (await LANGUAGES.of(settings.default_locale)).say;
}
