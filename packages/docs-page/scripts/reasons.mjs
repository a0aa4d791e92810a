// Why an operation may say no, as the API document has it.

/** @param {Record<string, any>} operation @returns {[status: string, reasons: string[]][]} */
export function reasonsOf({ responses }) {
  return Object.entries(responses).flatMap(([status, response]) => {
    const found = /"x-extensible-enum":(\[[^\]]*\])/.exec(JSON.stringify(response.content ?? {}));
    return found ? [[status, JSON.parse(found[1])]] : [];
  });
}

/** @param {[status: string, reasons: string[]][]} reasons */
export const reasonsText = (reasons) =>
  reasons
    .map(([status, names]) => `${status}: ${names.map((name) => `\`${name}\``).join(', ')}`)
    .join(' · ');
