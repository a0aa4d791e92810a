import type { Words } from './en';
import { audit } from './pl/audit';
import { campaigns } from './pl/campaigns';
import { cards } from './pl/cards';
import { connections } from './pl/connections';
import { customers } from './pl/customers';
import { forms } from './pl/forms';
import { frame } from './pl/frame';
import { mails } from './pl/mails';
import { overview } from './pl/overview';
import { rewards } from './pl/rewards';
import { rules } from './pl/rules';
import { segments } from './pl/segments';
import { settings } from './pl/settings';
import { tiers } from './pl/tiers';
import { till } from './pl/till';
import { wrong } from './pl/wrong';

export const pl: Words = {
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
