import type { Rows } from '@laurel/mongo';
import type { RegistrationDocument } from './registration-document';

/** A device asks for what changed after the newest change it heard of, so that none may be older than that. */
export async function newestOf(
  rows: Rows<RegistrationDocument>,
  deviceIds: readonly string[],
  but: readonly string[] = [],
): Promise<Map<string, number>> {
  const others = but.length === 0 ? {} : { _id: { $nin: [...but] } };
  const newest = rows.ofEverybody.aggregate<{ _id: string; at: Date }>([
    { $match: { device_id: { $in: [...new Set(deviceIds)] }, ...others } },
    { $group: { _id: '$device_id', at: { $max: '$changed_at' } } },
  ]);
  return new Map((await newest.toArray()).map(({ _id, at }) => [_id, at.getTime()]));
}

interface Noted {
  id: string;
  device: string;
  at: number;
}

/** Each is overtaken by another once at most, unless they go on and on. */
const OVERTAKEN_MAX = 3;

/**
 * Of two that note changes for one device at once, the one that looked first may write last: a time up to which the device
 * has heard of everything by then. So who has written looks again.
 */
export async function overtakeOthers(
  rows: Rows<RegistrationDocument>,
  noted: readonly Noted[],
): Promise<void> {
  let mine = noted;
  for (let time = 0; time < OVERTAKEN_MAX && mine.length > 0; time += 1) {
    const devices = mine.map(({ device }) => device);
    const newest = await newestOf(
      rows,
      devices,
      noted.map(({ id }) => id),
    );
    mine = mine
      .filter(({ device, at }) => at <= (newest.get(device) ?? 0))
      .map(({ id, device }) => {
        const at = newest.get(device)! + 1;
        newest.set(device, at);
        return { id, device, at };
      });
    const changes = mine.map(({ id, at }) => ({
      updateOne: {
        filter: { _id: id, changed_at: { $lt: new Date(at) } },
        update: { $set: { changed_at: new Date(at) } },
      },
    }));
    if (changes.length > 0) await rows.bulkWrite(changes);
  }
}
