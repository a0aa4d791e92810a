/**
 * @jest-environment jsdom
 * @jest-environment-options {"customExportConditions": ["node", "require"]}
 */
import { render } from 'preact';
import { act } from 'preact/test-utils';
import { showWelcome } from '../testing/show-welcome';

const SHOPS = ['North', 'South', 'West'].map((name) => ({
  id: name.toLowerCase(),
  name,
  slug: name.toLowerCase(),
  role: 'member',
}));
/** Whatever follows by itself has followed. */
const settled = async () => {
  for (let turn = 0; turn < 20; turn += 1) await act(async () => undefined);
};

test('of two shops that are chosen one after the other the last is shown, whichever answers first', async () => {
  let letGo = () => {};
  const held = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  const call = async (_method: string, path: string) => {
    if (path === '/service-api/workspaces') return { data: SHOPS };
    if (path.includes('invitation')) return { invitations: [] };
    if (path.includes('/workspace/south/')) await held;
    if (path.endsWith('/brand')) return { data: { name: null } };
    if (path.endsWith('/settings')) return { data: { default_locale: 'en' } };
    return { data: [] };
  };
  const place = await showWelcome({ session: { call, signOut: async () => undefined } });
  await settled();
  const choose = (id: string) =>
    act(() => {
      const select = place.querySelector('select')!;
      select.value = id;
      select.dispatchEvent(new Event('change', { bubbles: true }));
    });
  await choose('south');
  await choose('west');
  await settled();
  letGo();
  await settled();
  expect(place.querySelector('h1')?.textContent).toBe('West');
  render(null, place);
});

test.each([true, false])(
  'the page of customers is offered where there is one: %s',
  async (is_enabled) => {
    const call = async (_method: string, path: string) => {
      if (path === '/service-api/workspaces') return { data: SHOPS.slice(0, 1) };
      if (path.includes('invitation')) return { invitations: [] };
      if (path.endsWith('/brand')) return { data: { name: null } };
      if (path.endsWith('/settings')) return { data: { default_locale: 'en' } };
      return { data: path.endsWith('/portal-config') ? { is_enabled } : [] };
    };
    const place = await showWelcome({ session: { call, signOut: async () => undefined } });
    await settled();
    expect(place.querySelector('h1')?.textContent).toBe('North');
    expect(place.querySelectorAll('a[href="/portal/north"]')).toHaveLength(is_enabled ? 1 : 0);
    render(null, place);
  },
);
