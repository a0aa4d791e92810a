import type { Words } from './en';
import { audit } from './es/audit';
import { campaigns } from './es/campaigns';
import { cards } from './es/cards';
import { connections } from './es/connections';
import { customers } from './es/customers';
import { forms } from './es/forms';
import { frame } from './es/frame';
import { mails } from './es/mails';
import { overview } from './es/overview';
import { rewards } from './es/rewards';
import { rules } from './es/rules';
import { segments } from './es/segments';
import { settings } from './es/settings';
import { tiers } from './es/tiers';
import { till } from './es/till';
import { wrong } from './es/wrong';

export const es: Words = {
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
