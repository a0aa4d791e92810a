import { type Connection, collection, type Rows, type Session } from '@laurel/mongo';

export const registrations = collection<RegistrationDocument>('apple_registrations', {
  tenant: 'workspace_id',
  person: {
    column: 'none: its pass names the client',
    merged: 'stays: goes where its pass goes',
    anonymized: 'stays: by it phones learn that the card has ended; goes 30 days later',
    deleted: 'as anonymized',
    exported: 'by hand: use-cases/export-client.ts',
  },
  growth: {
    per: 'phone and pass',
    end: 'stays: goes with its pass',
    shardKey: ['device_id'],
  },
  indexes: [
    { key: { device_id: 1, pass_type: 1, changed_at: 1 }, name: 'of_device' },
    { key: { pass_id: 1 }, name: 'of_pass' },
    { key: { workspace_id: 1 }, name: 'of_workspace' },
  ],
});

interface RegistrationDocument {
  _id: string;
  workspace_id: string;
  device_id: string;
  pass_type: string;
  pass_id: string;
  push_token: string;
  /** Of the card that the device has; absent on registrations from before that was kept. */
  link_generation?: number;
  /** What the pass showed when the device was last to hear that it changed, null where it may show something else; and when that was. */
  digest: string | null;
  changed_at: Date;
  /** There while a push about it is owed. */
  owed?: true;
  date_created: Date;
}

/** That a device has a pass and wants to hear of its changes. */
export interface Registration {
  workspaceId: string;
  deviceId: string;
  passType: string;
  passId: string;
  pushToken: string;
}

/**
 * With the generation of the links of the pass, as the card on the device has them, and with what that card shows; null
 * where it is not sure.
 */
type NewRegistration = Registration & { linkGeneration: number; digest: string | null };

/** With what the pass showed when the device was last to hear of it. */
export type OwedRegistration = Registration & { digest: string | null };

/** Which iPhones and watches have which passes: a row per device and pass. */
export function createRegistrationStore(connection: Connection) {
  const rows = registrations.open(connection);
  return {
    ...createSingleRegistrations(rows),
    ...createPassesOfDevices(rows),
    ...createDevicesOfPasses(rows),
  };
}

function createSingleRegistrations(rows: Rows<RegistrationDocument>) {
  return {
    /** Writes or renews a registration; true where it is a new one. */
    async put(registration: NewRegistration, now: Date, session: Session): Promise<boolean> {
      const { workspaceId, deviceId, passType, passId, pushToken } = registration;
      const { linkGeneration, digest } = registration;
      const { upsertedCount } = await rows.of(workspaceId).updateOne(
        { _id: idOf(deviceId, passId) },
        {
          $set: { push_token: pushToken, pass_type: passType, link_generation: linkGeneration },
          $setOnInsert: {
            device_id: deviceId,
            pass_id: passId,
            digest,
            changed_at: now,
            date_created: now,
          },
        },
        { upsert: true, session },
      );
      return upsertedCount === 1;
    },

    /** False where there was none. */
    async remove(
      workspaceId: string,
      { deviceId, passId }: Pick<Registration, 'deviceId' | 'passId'>,
      session: Session,
    ): Promise<boolean> {
      const filter = { _id: idOf(deviceId, passId) };
      return (await rows.of(workspaceId).deleteOne(filter, { session })).deletedCount === 1;
    },
  };
}

function createPassesOfDevices(rows: Rows<RegistrationDocument>) {
  return {
    /** The passes of a device, of whatever workspaces, whenever they changed. */
    async listOfDevice(
      deviceId: string,
      passType: string,
    ): Promise<{ workspaceId: string; passId: string; changedAt: Date }[]> {
      const found = rows.ofEverybody.find({ device_id: deviceId, pass_type: passType });
      return (await found.toArray()).map((row) => ({
        workspaceId: row.workspace_id,
        passId: row.pass_id,
        changedAt: row.changed_at,
      }));
    },

    /** Notes changes that a device hears of before the pass was drawn anew, so that none that is noted later is older. */
    async noteChanges(
      deviceId: string,
      changes: readonly { passId: string; changedAt: Date }[],
    ): Promise<void> {
      if (changes.length === 0) return;
      await rows.bulkWrite(
        changes.map(({ passId, changedAt }) => ({
          updateOne: {
            filter: { _id: idOf(deviceId, passId), changed_at: { $lt: changedAt } },
            update: { $set: { changed_at: changedAt } },
          },
        })),
        { ordered: false },
      );
    },
  };
}

/** Which devices are to hear of changes. */
function createDevicesOfPasses(rows: Rows<RegistrationDocument>) {
  return {
    async listOfPasses(
      workspaceId: string,
      passIds: readonly string[],
    ): Promise<(Registration & { linkGeneration: number | undefined })[]> {
      const found = rows.of(workspaceId).find({ pass_id: { $in: [...passIds] } });
      return (await found.toArray()).map((row) => ({
        ...toRegistration(row),
        linkGeneration: row.link_generation,
      }));
    },

    countOf: (workspaceId: string, passId: string, session: Session): Promise<number> =>
      rows.of(workspaceId).count({ pass_id: passId }, { session }),

    /**
     * Marks passes as changed for every device that has not heard of what they show now.
     *
     * @param digests what each pass shows now, by its id
     * @param change.owed whether the devices are to be pushed to
     * @returns the devices that are still to be pushed to, from before, too
     */
    async markChanged(
      workspaceId: string,
      digests: ReadonlyMap<string, string>,
      { now, owed }: { now: Date; owed: boolean },
    ): Promise<OwedRegistration[]> {
      const own = rows.of(workspaceId).find({ pass_id: { $in: [...digests.keys()] } });
      const found = digests.size === 0 ? [] : await own.toArray();
      const behind = found.filter((row) => row.digest !== digests.get(row.pass_id));
      const newest = await newestOf(
        rows,
        behind.map(({ device_id }) => device_id),
      );
      const noted = behind.map(({ _id, device_id, pass_id }) => {
        const at = Math.max(now.getTime(), (newest.get(device_id) ?? 0) + 1);
        newest.set(device_id, at);
        return { id: _id, device: device_id, digest: digests.get(pass_id)!, at };
      });
      const changes = noted.map(({ id, digest, at }) => {
        const columns = { digest, changed_at: new Date(at) };
        const update = { $set: { ...columns, ...(owed ? { owed: true as const } : {}) } };
        return { updateOne: { filter: { _id: id }, update } };
      });
      // In this order: a device that asks meanwhile has heard of the older change of two, not of the newer alone.
      if (changes.length > 0) await rows.bulkWrite(changes);
      await overtakeOthers(rows, noted);
      const isBehind = new Set(behind);
      return found
        .filter((row) => row.owed || (owed && isBehind.has(row)))
        .map((row) => ({ ...toRegistration(row), digest: digests.get(row.pass_id)! }));
    },

    /**
     * The pass was fetched as it was at that moment, of which no device had heard yet; which device it was is not said. What they
     * show is not known any more: the next push of the pass goes to all of them, also where it shows again what they had
     * heard of before.
     */
    async noteServed(workspaceId: string, passId: string, digest: string): Promise<void> {
      const other = { pass_id: passId, digest: { $nin: [digest, null] } };
      await rows.of(workspaceId).updateMany(other, { $set: { digest: null } });
    },

    /** The devices were pushed to; not where the pass changed again meanwhile. */
    async settle(
      told: readonly Pick<OwedRegistration, 'deviceId' | 'passId' | 'digest'>[],
    ): Promise<void> {
      if (told.length === 0) return;
      await rows.bulkWrite(
        told.map(({ deviceId, passId, digest }) => ({
          updateOne: {
            filter: { _id: idOf(deviceId, passId), digest },
            update: { $unset: { owed: '' } },
          },
        })),
        { ordered: false },
      );
    },

    async removeOfPass(workspaceId: string, passId: string): Promise<void> {
      await rows.of(workspaceId).deleteMany({ pass_id: passId });
    },
  };
}

/** A device asks for what changed after the newest change it heard of, so that none may be older than that. */
async function newestOf(
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
async function overtakeOthers(
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

const idOf = (deviceId: string, passId: string): string => `${passId}:${deviceId}`;

function toRegistration(row: RegistrationDocument): Registration {
  return {
    workspaceId: row.workspace_id,
    deviceId: row.device_id,
    passType: row.pass_type,
    passId: row.pass_id,
    pushToken: row.push_token,
  };
}
