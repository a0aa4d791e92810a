// Where the pages of the two references stand.
import { anchorOf } from './markdown.mjs';

/** The page of a tag in the API reference, below the place of the site. @param {string} tag */
export const referenceName = (tag) => `api/${anchorOf(tag)}`;

/** The page of a group in the client's reference. @param {string} group */
export const clientName = (group) => `client/${group}`;

/** Where the client's reference says how an operation is called. @param {string} operationId */
export function clientAddress(operationId) {
  const [group = '', verb = ''] = operationId.split('.');
  return `/docs/${clientName(group)}#${verb}`;
}
