import { ingestUrl } from './ingest-url';

test('an inbox has one address, however the platform writes its own, complete with the token', () => {
  for (const publicUrl of [
    'https://a.example/x',
    'https://a.example/x/',
    'https://a.example/x//',
  ]) {
    expect(ingestUrl(publicUrl, 'i')).toBe('https://a.example/x/inbox/i');
    expect(ingestUrl(publicUrl, 'i', 't')).toBe('https://a.example/x/inbox/i/t');
  }
});
