import type { ReactNode } from 'react';
import { RedemptionTable } from '../rewards/redemption-table';

/** What a customer redeemed. */
export const RewardsOf = ({ id }: { id: string }): ReactNode => <RedemptionTable clientId={id} />;
