import { createTemplate } from './schema';

const complaintAbout = (ios_deeplink_url: string) =>
  createTemplate.validate({
    project_id: '01990000-0000-7000-8000-00000000000b',
    name: 'Card',
    ios_deeplink_url,
  }).error?.message;

test.each([
  'javascript:alert(1)',
  'DATA:text/html,x',
  'blob:http://x',
  'view-source:javascript:alert(1)',
  'View-Source:https://x.example',
  'vbscript:x',
  'file:///etc/passwd',
  'about:blank',
  'filesystem:https://x.example/temporary/a',
  'http://x.example',
])('a card opens nothing that the browser itself would run or show: %s', (url) => {
  expect(complaintAbout(url)).toMatch(/must be of https or a scheme of the app/);
});

test.each(['https://app.example/open', 'acme://card', 'files://open', 'database:card', 'blobby:x'])(
  'a card opens https and an app by its own scheme: %s',
  (url) => {
    expect(complaintAbout(url)).toBeUndefined();
  },
);
