// The last thing a person reads: where everything is, and two commands to try at once.

/**
 * @param {{ baseUrls: string[], demo: import('./demo.mjs').Demo, notes: [label: string, text: string][] }} options
 *   `notes` say what depends on how the platform was started
 */
export function welcomeText({ baseUrls, demo, notes }) {
  const [baseUrl = ''] = baseUrls;
  const inWorkspace = `${baseUrl}/service-api/workspace/${demo.workspace_id}`;
  const rows = [
    ['Base URL', baseUrls.join('  ')],
    ['API docs', `${baseUrl}/docs`],
    ['Login', `${demo.email} / ${demo.password}`],
    ['API token', demo.token],
    ...notes,
  ];
  return `
${rows.map(([label = '', text]) => `  ${label.padEnd(10)} ${text}`).join('\n')}

Earn ten points, then read the balance:

  curl -s ${inWorkspace}/loyalty/points/earn \\
    -H 'Authorization: Bearer ${demo.token}' -H 'Content-Type: application/json' \\
    -d '{"client_id":"${demo.client_id}","amount":10}'

  curl -s ${inWorkspace}/clients/${demo.client_id}/wallets \\
    -H 'Authorization: Bearer ${demo.token}'
`;
}
