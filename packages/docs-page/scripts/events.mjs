// The page of webhook events: what each says, with an example, as the API document has it.

/** @param {Record<string, any>} document */
export function eventsPage({ webhooks }) {
  const names = Object.keys(webhooks).sort();
  const texts = names.map((name) => {
    const { description, requestBody } = webhooks[name].post;
    const { example } = requestBody.content['application/json'];
    const data = example ? `\n\n\`\`\`json\n${JSON.stringify(example.data, null, 2)}\n\`\`\`` : '';
    return `## ${name} {#${name}}\n\n${description}${data}\n`;
  });
  return {
    name: 'events',
    title: 'Events',
    source: [
      '# Events',
      '',
      'What a webhook or the event stream can tell, with an example of `data` for each type. Around it stands `{ type, timestamp, workspace_id, data }`;',
      'how it is signed and tried again, [webhooks](webhooks.md) says. Data grows by new members: ignore those you do not know.',
      '',
      ...names.map((name) => `- [${name}](#${name})`),
      '',
      ...texts,
    ].join('\n'),
  };
}
