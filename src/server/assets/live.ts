/**
 * The only script: looks every few seconds whether there is something new, while somebody looks at the page, and
 * loads the page again. A page where something is opened, selected or typed is left alone.
 */
export const LIVE = `'use strict';
(() => {
  const { token, address } = document.currentScript.dataset;
  const pauseMs = 5000;
  let failures = 0;
  const isBusy = () => String(getSelection()) !== '' || document.activeElement instanceof HTMLInputElement;
  const look = async () => {
    if (document.visibilityState === 'visible' && !isBusy()) {
      try {
        const response = await fetch(address, { cache: 'no-store' });
        if (!response.ok) return;
        const status = await response.json();
        failures = 0;
        if (status.token !== token) return location.reload();
      } catch {
        failures = Math.min(failures + 1, 6);
      }
    }
    setTimeout(look, pauseMs * 2 ** failures);
  };
  setTimeout(look, pauseMs);
})();
`;
