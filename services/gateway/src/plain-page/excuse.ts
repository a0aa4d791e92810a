import type { Request, Response } from 'express';
import { sendPlainPage } from './page';
import { visitorLanguage } from './visitor-language';
import { words } from './words';

/** Where only programs call: they are refused in their own words whatever they say that they accept. */
const OF_PROGRAMS = /^\/(service-api|auth|user|inbox|apple|google|health|assets)(\/|$)/i;

/** Whether somebody follows a link in a browser, rather than a program that calls. */
export function asksForPage(request: Request): boolean {
  return (
    (request.method === 'GET' || request.method === 'HEAD') &&
    /\btext\/html\b/.test(request.get('accept') ?? '') &&
    !OF_PROGRAMS.test(request.path)
  );
}

/** What a person sees where a link leads nowhere, or to what cannot be shown at the moment. */
export function excuseToVisitor(response: Response, status: number): void {
  const language = visitorLanguage(response.req);
  const { lost, unavailable } = words[language];
  const isLost = status >= 400 && status < 500 && status !== 429;
  sendPlainPage(response, { status, language, ...(isLost ? lost : unavailable) });
}
