import { audit } from './de/audit';
import { campaigns } from './de/campaigns';
import { cards } from './de/cards';
import { connections } from './de/connections';
import { customers } from './de/customers';
import { forms } from './de/forms';
import { frame } from './de/frame';
import { mails } from './de/mails';
import { overview } from './de/overview';
import { rewards } from './de/rewards';
import { rules } from './de/rules';
import { segments } from './de/segments';
import { settings } from './de/settings';
import { tiers } from './de/tiers';
import { till } from './de/till';
import { wrong } from './de/wrong';
import type { Words } from './en';

export const de: Words = {
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
