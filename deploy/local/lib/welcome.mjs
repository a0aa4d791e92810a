// The last thing a person reads: where everything is, and two commands to try at once.

/**
 * @param {{ baseUrls: string[], demo?: import('./demo.mjs').Demo, notes: [label: string, text: string][] }} options
 *   `notes` say what depends on how the platform was started
 */
export function welcomeText({ baseUrls, demo, notes }) {
  const [baseUrl = ''] = baseUrls;
  const access = demo
    ? [
        ['Demo login', `${demo.email} / ${demo.password}`],
        ['API token', demo.token],
        [
          'Portal',
          `${baseUrl}/portal/${demo.portal_slug}  (as ${demo.client_email}; the code is mailed)`,
        ],
        // A demo that an earlier release has made has none.
        ...(demo.form_path
          ? [['Sign-up', `${baseUrl}${demo.form_path}  (where customers join)`]]
          : []),
      ]
    : [];
  const rows = [
    ['Base URL', baseUrls.join('  ')],
    ['Sign in', `${baseUrl}/sign-in  (or ${baseUrl}/register: a programme in four questions)`],
    ['Console', `${baseUrl}/console  (customers, rewards, rules, figures)`],
    ['Till', `${baseUrl}/till/  (paired from the page behind the sign-in)`],
    ['Docs', `${baseUrl}/docs  (guides and reference; ${baseUrl}/docs/swagger tries the API)`],
    ...access,
    ...notes,
  ];
  const table = rows.map(([label = '', text]) => `  ${label.padEnd(10)} ${text}`).join('\n');
  return `\n${table}\n${demo ? commandsToTry(baseUrl, demo) : ''}`;
}

/**
 * @param {string} baseUrl
 * @param {import('./demo.mjs').Demo} demo
 */
function commandsToTry(baseUrl, demo) {
  const inWorkspace = `${baseUrl}/service-api/workspace/${demo.workspace_id}`;
  return `
Earn ten points, then read the balance:

  curl -s ${inWorkspace}/loyalty/points/earn \\
    -H 'Authorization: Bearer ${demo.token}' -H 'Content-Type: application/json' \\
    -d '{"client_id":"${demo.client_id}","amount":10}'

  curl -s ${inWorkspace}/clients/${demo.client_id}/wallets \\
    -H 'Authorization: Bearer ${demo.token}'
`;
}
