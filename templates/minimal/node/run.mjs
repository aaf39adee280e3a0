// Prints one line of CSV for each case and round. Replace it with what you want to measure.
console.log('case,seconds');
for (let round = -2; round < 10; round++) {
  for (const size of [1000, 20_000]) {
    const numbers = Array.from({ length: size }, (_, index) => Math.sin(index));
    const start = performance.now();
    numbers.sort((a, b) => a - b);
    const seconds = (performance.now() - start) / 1000;
    if (round >= 0) console.log(`sort ${size},${seconds}`); // two rounds of warm-up are left out
  }
}
