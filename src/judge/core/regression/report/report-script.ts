/** Sorts a table by the column whose head is clicked: numbers by size, words in their order. Always the same text, allowed by its hash. */
export const REPORT_SCRIPT = `(() => {
for (const table of document.querySelectorAll('table.sortable')) {
  const heads = [...table.tHead.rows[0].cells];
  heads.forEach((head, column) => {
    const button = document.createElement('button');
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener('click', () => {
      const up = head.getAttribute('aria-sort') !== 'ascending';
      for (const other of heads) other.removeAttribute('aria-sort');
      head.setAttribute('aria-sort', up ? 'ascending' : 'descending');
      const body = table.tBodies[0];
      const keyed = [...body.rows].map((row) => [row.cells[column].dataset.key ?? row.cells[column].textContent, row]);
      keyed.sort(([a], [b]) => (up ? 1 : -1) * a.localeCompare(b, 'en', { numeric: true }));
      const numbers = keyed.every(([key]) => key !== '' && !Number.isNaN(Number(key)));
      if (numbers) keyed.sort(([a], [b]) => (up ? 1 : -1) * (Number(a) - Number(b)));
      body.append(...keyed.map(([, row]) => row));
    });
  });
}
})();`;

/** For the Content-Security-Policy; a test keeps it true. */
export const REPORT_SCRIPT_HASH = 'sha256-2vfU/EhlzChdcdew2JrD2ybYk0GZJ0qp2lnaIr73A/8=';
