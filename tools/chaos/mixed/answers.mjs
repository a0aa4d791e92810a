// What clients may hear while one release takes the place of another, and what they may not.

/** @typedef {import('../client.mjs').Attempt} Attempt */
/** @typedef {{ what: string, may: (answer: import('../http.mjs').Answer) => boolean }} Declared */

/** How docs/upgrade.md has it; everything else that is no answer to the question is a finding. @type {readonly Declared[]} */
const DECLARED = [
  {
    what: 'a part is not available at the moment: 503 with Retry-After',
    may: ({ status, retryAfterMs }) => status === 503 && retryAfterMs !== null,
  },
  {
    what: 'an earlier attempt still runs: 409 with Retry-After',
    may: ({ keptRunning }) => keptRunning,
  },
];

/** @param {import('../http.mjs').Answer} answer */
const isAnswered = ({ status, keptRunning }) =>
  status >= 200 &&
  status < 500 &&
  !keptRunning &&
  status !== 429 &&
  status !== 401 &&
  status !== 403;

/** Counts answers by what the upgrade guide says of them. */
export function createTally() {
  /** @type {Map<string, number>} */
  const declared = new Map();
  /** @type {Map<string, number>} */
  const findings = new Map();
  let answered = 0;

  return {
    /** @param {Attempt['answer']} answer @param {string | null} replaced the service that is being replaced */
    note(answer, replaced) {
      if (isAnswered(answer)) {
        answered += 1;
        return;
      }
      const found = DECLARED.find(({ may }) => may(answer));
      if (found) return count(declared, found.what);
      const said = answer.status === 0 ? answer.body : answer.body?.errors?.[0]?.message;
      count(findings, `${answer.status} while ${replaced ?? 'nothing'} was replaced: ${said}`);
    },
    result: () => ({ answered, declared, findings }),
  };
}

/** @param {Map<string, number>} counts @param {string} what */
const count = (counts, what) => void counts.set(what, (counts.get(what) ?? 0) + 1);
