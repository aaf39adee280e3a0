import { logText } from '../../lib/generate.mjs';
import { measure, stageArguments, writeSamples } from '../../lib/measure.mjs';

const { config, outputDir } = stageArguments();
const text = logText(config.lines);
const count = (expression) => () => text.match(expression)?.length ?? 0;

writeSamples(
  outputDir,
  measure(
    {
      literal: count(/"POST \//g),
      alternation: count(/Firefox|Safari|curl/g),
      captures: count(/^(\S+) \[([^\]]+)\] "(\w+) (\S+)" (\d+) (\d+)/gm),
      look_behind: count(/(?<=" 5\d\d )\d+/g),
    },
    config.rounds,
  ),
);
