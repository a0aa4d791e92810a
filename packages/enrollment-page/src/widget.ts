import { EnrollmentError, embeddedDoor } from './api.ts';
import { element } from './dom.ts';
import { mountEnrollment } from './enrollment.ts';
import { showGone, whyOf } from './gone.ts';
import { createLanguage } from './language.ts';
import { formStyle, usePrimaryColor } from './style.ts';

/**
 * Puts the form of a token beside the script that asks for it, in a shadow root: the page's styles do not reach it, nor
 * its styles the page. Tells the page by an event `laurel:enrolled` on the script, with the answer as its detail.
 *
 * The script may say `data-target` (a selector of where the form goes), `data-ref` (a referral code; else `?ref=` of the
 * page's address) and `data-primary-color`.
 */
export async function mountWidget(script: HTMLScriptElement): Promise<void> {
  const { token = '', target, ref, primaryColor } = script.dataset;
  const base = new URL(script.src).origin;
  const host = element('div', { class: 'laurel-enrollment' });
  const place = target === undefined ? null : document.querySelector(target);
  if (place) place.append(host);
  else script.after(host);
  if (primaryColor !== undefined) usePrimaryColor(host, primaryColor);
  const shadow = host.attachShadow({ mode: 'open' });
  shadow.adoptedStyleSheets = [formStyle()];
  const root = element('section', { class: 'laurel' });
  shadow.append(root);
  const door = embeddedDoor(base, token);
  try {
    const { form, locale } = await door.read();
    mountEnrollment(root, {
      form,
      door,
      heading: 'h2',
      language: createLanguage(locale),
      code: ref ?? new URLSearchParams(location.search).get('ref'),
      onEnrolled: (enrolled) => {
        script.dispatchEvent(
          new CustomEvent('laurel:enrolled', { bubbles: true, detail: enrolled }),
        );
        return null;
      },
    });
  } catch (error) {
    const why = whyOf(error);
    // For the shop that embeds the form: the visitor gets words of their own.
    if (error instanceof EnrollmentError) console.error(`the enrollment form: ${error.message}`);
    const language = createLanguage(document.documentElement.lang || navigator.language);
    showGone(root, { language, heading: 'h2', why });
  }
}
