/** What each group of operations is for. */
export const TAGS: Readonly<Record<string, string>> = {
  Authentication:
    'Accounts of the people who run a programme: registering, signing in, refreshing and ending sessions. Passwords are reset by a mailed link.',
  Automations:
    'Rules that act when something happens: they earn points, give rewards, send pushes. A rule is tried by simulation and backtest before it is switched on.',
  Brand: 'How the shop looks, said once: portal, cards, forms, mails and staff app take it.',
  Campaigns:
    'One-time actions for many clients at once. A campaign is drafted, scheduled or launched, and says afterwards what became of whom.',
  Clients:
    'The customers of a workspace. They are created, found, merged, exported and erased here.',
  Coupons: 'Codes that rewards give out. They are imported, listed and checked at the till.',
  'Data model': 'Fields of a workspace’s own that its clients have beside the fixed ones.',
  Distributions:
    'Ways to hand out passes: a page, an embedded form, mails. Each has a form, a template and limits of its own.',
  Downloads: 'Files that a browser fetches by an address of their own, once.',
  Enrollment:
    'What the public forms send. No account is needed; the token of the form is the credential.',
  Events:
    'The trail of what clients did. Purchases, visits and events of your own come in here, and rules listen to them.',
  Files: 'Images for passes, rewards and the portal. They are stored once and served in any size.',
  'Google Wallet': 'What Google’s servers call. No client of the API needs it.',
  'Image sources': 'Pictures that are drawn from a web address, and their previews.',
  Integrations:
    'Connections to tills, shops and CRMs. Inboxes take what those systems send, import jobs fetch what they hold.',
  Invitations: 'Ways for people to join the team of a workspace.',
  'Loyalty configuration': 'The settings of points that hold for a whole workspace.',
  Mails:
    'The words of the mails that go out in the name of a workspace: its own, or those of the platform.',
  Members: 'The team of a workspace, and the roles that say what each may do.',
  'Mobile app':
    'What the staff app does at the counter: scan, look up, act. Its sessions come from pairing.',
  'Mobile app configuration': 'What the staff app shows, and the actions that it offers.',
  'Mobile app users': 'Who may use the staff app, and on which devices.',
  'Pass templates':
    'How passes look: colours, fields, barcodes and pictures. Previews draw them as a phone would.',
  'PassKit web service':
    'What iPhones and watches call by themselves. No client of the API needs it.',
  Passes: 'The cards in clients’ phones. A changed balance reaches them by itself.',
  Points:
    'The ledger: every movement of points is an entry that nothing changes afterwards. Balances, statements and proofs are read from it.',
  Portal: 'What a client sees and does in the portal, in a session of their own.',
  Programmes:
    'What files of configuration own in a workspace, so that a plan can tell what was changed by hand.',
  Projects: 'Brands or programmes within a workspace, each with templates and distributions.',
  Referrals: 'Clients who bring clients: the programme, its codes and what came of them.',
  'Rewards and redemptions':
    'What points buy. Redeeming takes the points and gives the coupon, or does neither.',
  Segments:
    'Clients chosen by what is known of them. Segments are counted live and used by rules and campaigns.',
  Tiers: 'Levels that clients reach by what they earn or spend, with benefits of their own.',
  User: 'The signed-in user’s own account and API token.',
  'Wallet credentials':
    'Certificates and keys by which Apple and Google accept the passes of a workspace.',
  'Wallet links': 'Signed addresses from which phones load passes. They come in mails and pages.',
  'Wallet types':
    'The currencies of a programme: points, stamps, credit. Each has rules for expiry and limits.',
  Webhooks:
    'Calls to your own systems when something happens, signed as Standard Webhooks says. Deliveries are listed, repeated and replayed.',
  Workspaces: 'The tenants of the platform. Everything else belongs to one of them.',
};
