// Anna, Ben and Cara become members; lists are read, files imported.

/** @param {string} name @param {string} rows */
export function csvFile(name, rows) {
  const boundary = 'roasted-form-boundary';
  const content = Buffer.from(
    `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="${name}"\r\nContent-Type: text/csv\r\n\r\n${rows}\r\n--${boundary}--\r\n`,
  );
  return { content, type: `multipart/form-data; boundary=${boundary}` };
}

/** @param {import('./index.mjs').Story} story */
export async function welcomeMembers({ tell, ask, rows, people, until }) {
  const anna = {
    email: people.anna,
    first_name: 'Anna',
    last_name: 'Byrne',
    phone: '+353861234567',
    birth_date: '1990-03-09',
    marketing_consent: true,
    custom_fields: { favourite_drink: 'Flat white' },
    loyalty_program_enabled: true,
  };
  rows.anna = (await tell('clients.create', { body: anna })).data.id;
  const ben = {
    email: people.ben,
    first_name: 'Ben',
    last_name: 'O’Shea',
    loyalty_program_enabled: true,
  };
  rows.ben = (await tell('clients.create', { body: ben })).data.id;
  const again = (
    await tell('clients.create', { body: { first_name: 'Ben', phone: '+353867654321' } })
  ).data.id;
  const gone = (await tell('clients.create', { body: { first_name: 'Dara', last_name: 'Quinn' } }))
    .data.id;
  const erased = (await tell('clients.create', { body: { first_name: 'Eve', last_name: 'Nolan' } }))
    .data.id;
  await tell('clients.update', {
    id: rows.ben,
    body: { marketing_consent: true, marketing_consent_text: 'News by e-mail, asked at the till' },
  });
  await tell('clients.get', { id: rows.anna });
  await tell('clients.list');
  await tell('clients.search', { query: { q: 'anna' } });
  await tell('clients.setExternalIdentity', {
    id: rows.anna,
    provider: 'till',
    body: { external_id: 'till-1042' },
  });
  await tell('clients.listExternalIdentities', { id: rows.anna });
  await tell('clients.deleteExternalIdentity', { id: rows.anna, provider: 'till' });
  await tell('clients.merge', { body: { source_client_id: again, target_client_id: rows.ben } });
  await tell('clients.delete', { id: gone });
  await tell('clients.anonymize', { id: erased });
  await tell('clients.countSignups', { body: { group_by_time: 'day' } });
  const file = () =>
    csvFile('members.csv', `email,first_name,last_name\n${people.cara},Cara,Walsh\n`);
  await tell('clients.createImportCheck', { file: file() });
  const job = (await tell('clients.import', { file: file() })).data.id;
  const ended = async () => (await ask('clients.getImportJob', { jobId: job })).data.finished_at;
  await until(ended, 'the import');
  await tell('clients.getImportJob', { jobId: job });
  await tell('clients.listImportJobs');
  const many = Array.from({ length: 5000 }, (_, row) => `guest-${row}@example.com,Guest`);
  const long = csvFile('guests.csv', `email,first_name\n${many.join('\n')}\n`);
  const wrong = (await tell('clients.import', { file: long })).data.id;
  await tell('clients.cancelImportJob', { jobId: wrong });
  rows.cara = (await tell('clients.search', { query: { q: people.cara } })).data[0]?.id;
}
