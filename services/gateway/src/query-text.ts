import { type ParsedUrlQuery, parse } from 'node:querystring';

/** A percent sign that begins nothing: people type "100%" into addresses. */
const BARE_PERCENT = /%(?![0-9a-f]{2})/gi;
/** No text has it, so that every check of texts refuses it by the name of its parameter. */
const UNREADABLE = '\ud800';

/** Reads a query string; a name repeated is a list. What is not UTF-8 comes out as a text that no check takes. */
export function parseQuery(text: string): ParsedUrlQuery {
  return parse(text, '&', '=', { decodeURIComponent: decoded });
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replace(BARE_PERCENT, '%25'));
  } catch {
    return UNREADABLE;
  }
}
