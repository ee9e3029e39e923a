/** Requests that are repeated while somebody looks. */

/**
 * Runs `work` now and then every so many milliseconds while the tab is visible; returns a function that stops it.
 * @param {(signal: AbortSignal) => Promise<void>} work
 * @param {number} interval
 */
export function whileVisible(work, interval) {
  const stop = new AbortController();
  let timer = 0;
  let isBusy = false;
  const look = async () => {
    clearTimeout(timer);
    if (document.hidden || isBusy || stop.signal.aborted) return;
    isBusy = true;
    await work(stop.signal);
    isBusy = false;
    timer = window.setTimeout(look, interval);
  };
  document.addEventListener("visibilitychange", look, { signal: stop.signal });
  look();
  return () => {
    stop.abort();
    clearTimeout(timer);
  };
}
