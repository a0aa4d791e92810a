import type { Shop, ShopApi, Standing } from '../shop';

/** What a step works with once the shop is there. */
export interface StepProps {
  api: ShopApi;
  shop: Shop;
  standing: Standing;
  /** What was missing is there now. */
  onDone: () => void | Promise<void>;
}
