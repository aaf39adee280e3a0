import type { Command as Parser } from 'commander';
import { declarePlace } from '../../executors/cli/place-options.ts';

/** The options of `nightmark duet "A" "B"`: hyperfine's where it has them, then ours. */
export function configureCompare(parser: Parser): void {
  parser
    .argument('[commands...]', 'two commands, each in quotes; one alone is compared with itself')
    .option('-r, --runs <n>', 'exactly this many pairs')
    .option('-m, --min-runs <n>', 'at least this many pairs (10)')
    .option('-M, --max-runs <n>', 'at most this many pairs (1000)')
    .option('-w, --warmup <n>', 'pairs before the measured ones', '1')
    .option('-s, --setup <command>', 'run once before the first pair; twice: one for each side', collect)
    .option(
      '-p, --prepare <command>',
      'run before each pair, not measured; twice: one for each side',
      collect,
    )
    .option('-c, --cleanup <command>', 'run once after the last pair; twice: one for each side', collect)
    .option('-L, --parameter-list <name> <values>', '{name} stands for each of a,b,c in turn', collect)
    .option('-P, --parameter-scan <name> <min> <max>', '{name} stands for each number in turn', collect)
    .option('-D, --parameter-step-size <step>', 'step of --parameter-scan (1)')
    .option(
      '-S, --shell <shell>',
      'the shell of the commands; none: no shell; default: sh where a command needs one',
    )
    .option('-N', 'the same as --shell=none')
    .option('-n, --command-name <name>', 'name of a side; twice for both', collect)
    .option('-i, --ignore-failure', 'count runs that fail; leave out pairs that run into the timeout')
    .option(
      '--output <kind>',
      'what is kept of the output to explain failures: errors, null or tail',
      'errors',
    )
    .option('--together', 'both sides at once (the default with two cores or more)')
    .option('--alternate', 'one at a time: A B B A')
    .option('--one-after-another', 'all of A, then all of B: for comparison, not for trust')
    .option('--pin', 'each side on its own half of the cores, swapped from pair to pair')
    .option('--min-effect <percent>', 'differences below this are called the same (1%)')
    .option('--level <percent>', 'level of the interval', '95%')
    .option('--stop <when>', 'never, or when-decided: look at most four times and end early', 'never')
    .option('--timeout <duration>', 'ends both sides of a pair that takes longer')
    .option('--seed <number>', 'seed of the order of starts')
    .option('--allow <percent>', 'how much slower B may be without exit code 3 (0%)')
    .option('--no-fail', 'exit code 0 also when B is slower')
    .option('--export-json <file>', "in hyperfine's shape, with the verdict beside")
    .option('--export-csv <file>', "hyperfine's columns and ours")
    .option('--export-markdown <file>', 'a table')
    .option('--against <ref>', 'compare the working tree with where it left this branch, tag or commit')
    .option('--base <which>', 'with --against: merge-base, or ref for the revision itself (merge-base)')
    .option('--build <command>', 'with --against: builds each version before it is measured')
    .option('--rebuild', 'with --against: build also what was built before')
    .option('--summary <file>', 'with --against: a Markdown page for a pull request; -: stdout')
    .option('--json', 'print the result as JSON')
    .option('-q, --quiet', 'no progress')
    .addHelpText(
      'after',
      '\nExit codes: 0 fine, 1 error, 2 nothing to compare, 3 B is slower than allowed, 130 interrupted.\nFor example: nightmark duet "sort -n big.txt" "sort -g big.txt"\n         or: nightmark duet --against main --build make -- ./bench --all\n         or: nightmark duet "./a" "./b" --executor slurm --cpus 4 --sbatch=--exclusive',
    );
  declarePlace(parser);
}

function collect(value: string, before: readonly string[] | undefined): readonly string[] {
  return [...(before ?? []), value];
}
