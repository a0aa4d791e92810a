/** @jest-environment jsdom */
import { watchForUpdate } from './update';

/** The workers of a browser, of which none is in control yet. */
function workers(controller: object | null) {
  const target = new EventTarget();
  const register = async () =>
    Object.assign(new EventTarget(), { waiting: null, installing: null });
  Object.assign(target, { controller, register });
  Object.defineProperty(navigator, 'serviceWorker', { value: target, configurable: true });
  return { change: () => target.dispatchEvent(new Event('controllerchange')) };
}

test('a page goes on with the first worker, and opens anew with each that was asked for since', () => {
  const { change } = workers(null);
  const reload = jest.fn();
  watchForUpdate(reload);
  change();
  expect(reload).not.toHaveBeenCalled();
  change();
  expect(reload).toHaveBeenCalledTimes(1);
});

test('a page that a worker has opened takes the next one at once', () => {
  const { change } = workers({});
  const reload = jest.fn();
  watchForUpdate(reload);
  change();
  expect(reload).toHaveBeenCalledTimes(1);
});
