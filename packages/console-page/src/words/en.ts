import type { Plural } from '@laurel/page-kit/language';
import { audit } from './en/audit';
import { campaigns } from './en/campaigns';
import { cards } from './en/cards';
import { connections } from './en/connections';
import { customers } from './en/customers';
import { forms } from './en/forms';
import { frame } from './en/frame';
import { mails } from './en/mails';
import { overview } from './en/overview';
import { rewards } from './en/rewards';
import { rules } from './en/rules';
import { segments } from './en/segments';
import { settings } from './en/settings';
import { tiers } from './en/tiers';
import { till } from './en/till';
import { wrong } from './en/wrong';

/** Every sentence of the console, by page. Other languages have the same keys; what takes a count has a form per plural rule. */
export const en = {
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
} satisfies Record<string, string | Plural>;

export type Words = {
  [Key in keyof typeof en]: (typeof en)[Key] extends string ? string : Plural;
};
