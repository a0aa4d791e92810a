import { checkAll } from './checker/invariants.mjs';
import { smallWorld } from './checker/story.mjs';
import { unproven } from './floors.mjs';

const rows = checkAll(smallWorld());
const fault = (hit: boolean) => ({ action: 'kill', target: 'ledger', hit });
const faults = [fault(true), fault(true), fault(true), fault(false)];
const planted = { count: 95, missing: ['a', 'b'] };

test('a run that looked at everything under faults that met their targets is proven', () => {
  expect(unproven({ rows, faults, planted })).toEqual([]);
});

test('an invariant that had nothing to look at is red, by its name', () => {
  const world = { ...smallWorld(), redemptions: [], rewards: [], usages: [] };
  const names = unproven({ rows: checkAll(world), faults, planted }).map((one) => one.slice(0, 26));
  expect(names).toEqual(['R1 had nothing to look at:', 'R3 had nothing to look at:']);
});

test('a run without faults, or whose faults met nothing, is red', () => {
  expect(unproven({ rows, faults: [], planted })).toEqual(['0 of 0 faults met their target']);
  const missed = [fault(true), fault(false)];
  expect(unproven({ rows, faults: missed, planted })).toEqual(['1 of 2 faults met their target']);
});

test('a kind of fault that never met anybody is red, however many others did', () => {
  const many = Array.from({ length: 8 }, () => fault(true));
  const again = { action: 'kill again', target: 'ledger', hit: false };
  expect(unproven({ rows, faults: [...many, again, again] })).toEqual([
    "none of 2 faults of the kind 'kill again' met its target",
  ]);
  expect(unproven({ rows, faults: [...many, again] })).toHaveLength(1);
  expect(unproven({ rows, faults: [...many, again, { ...again, hit: true }] })).toEqual([]);
});

test('a kind of fault that the plan has and that was never drawn is red', () => {
  expect(unproven({ rows, faults, kinds: ['kill', 'clock'], planted })).toEqual([
    "no fault of the kind 'clock' was tried",
  ]);
});

test('a run into which most corruptions cannot be planted is red', () => {
  const few = { count: 8, missing: ['a', 'b'] };
  expect(unproven({ rows, faults, planted: few })).toEqual([
    '8 of 10 corruptions could be planted',
  ]);
  expect(unproven({ rows, faults })).toEqual([]);
});
