import { isDuplicateKey } from '@laurel/mongo';
import { refusals } from '../../refusals';

/** Says which place was taken where a unique index refused a pass. */
export async function refusingTakenPlaces<T>(write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    if (isDuplicateKey(error, 'barcode_value'))
      throw refusals.barcodeTaken({ field: 'barcode_value' });
    if (isDuplicateKey(error, 'client_id')) throw refusals.passTaken({ field: 'client_id' });
    throw error;
  }
}
