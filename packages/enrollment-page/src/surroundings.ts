import { usePrimaryColor } from './style.ts';

/** How the workspace looks. */
export interface Look {
  primary_color: string | null;
  background_color: string | null;
  logo_url: string | null;
  has_portal: boolean;
}

export function dress({ primary_color, background_color, logo_url }: Look, name: string): void {
  const { documentElement } = document;
  if (primary_color) usePrimaryColor(documentElement, primary_color);
  if (background_color)
    documentElement.style.setProperty('--laurel-own-background', background_color);
  if (!logo_url || document.querySelector('.logo')) return;
  const logo = document.createElement('img');
  logo.src = logo_url;
  logo.alt = name;
  logo.className = 'logo';
  document.getElementById('app')!.before(logo);
}

/** Leaves the session where the portal of the same origin looks for it; false where the browser keeps nothing. */
export function signIn(slug: string, token: string): boolean {
  try {
    localStorage.setItem(`laurel.portal.${slug}`, token);
    return true;
  } catch {
    return false;
  }
}
