import { numbers } from '../../lib/generate.mjs';
import { measure, stageArguments, writeSamples } from '../../lib/measure.mjs';
import { heapSort, mergeSort, quickSort } from './algorithms.mjs';

const { config, outputDir } = stageArguments();
const shuffled = numbers(config.size);
const sortWith = (sort) => ({
  prepare: () => Float64Array.from(shuffled),
  work: (values) => checked(sort(values)),
});

writeSamples(
  outputDir,
  measure(
    {
      built_in: sortWith((values) => values.sort()),
      quick: sortWith(quickSort),
      merge: sortWith(mergeSort),
      heap: sortWith(heapSort),
    },
    config.rounds,
  ),
);

/** A sort that is wrong must not look fast. Looking costs a few microseconds beside milliseconds. */
function checked(values) {
  for (let i = 1; i < values.length; i++) {
    if (values[i - 1] > values[i])
      throw new Error(`Not sorted at ${i}: ${values[i - 1]} before ${values[i]}.`);
  }
  return values;
}
