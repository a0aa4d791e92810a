import type { ShopMail } from '@laurel/client';

/** What a shop may write itself in a mail. */
export type Words = Pick<ShopMail, 'subject' | 'text' | 'button'>;
