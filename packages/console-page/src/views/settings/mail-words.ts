import type { ShopMail } from '@laurel/client';
import type { MailWord } from '@laurel/contract';

/** What a shop may write itself in a mail. */
export type Words = Pick<ShopMail, MailWord>;
