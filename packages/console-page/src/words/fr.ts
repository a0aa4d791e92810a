import type { Words } from './en';
import { audit } from './fr/audit';
import { campaigns } from './fr/campaigns';
import { cards } from './fr/cards';
import { connections } from './fr/connections';
import { customers } from './fr/customers';
import { forms } from './fr/forms';
import { frame } from './fr/frame';
import { mails } from './fr/mails';
import { overview } from './fr/overview';
import { rewards } from './fr/rewards';
import { rules } from './fr/rules';
import { segments } from './fr/segments';
import { settings } from './fr/settings';
import { tiers } from './fr/tiers';
import { till } from './fr/till';
import { wrong } from './fr/wrong';

export const fr: Words = {
  ...audit,
  ...campaigns,
  ...cards,
  ...connections,
  ...customers,
  ...forms,
  ...frame,
  ...mails,
  ...overview,
  ...rewards,
  ...rules,
  ...segments,
  ...settings,
  ...tiers,
  ...till,
  ...wrong,
};
