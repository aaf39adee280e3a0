import type { CommandModule } from '../platform/cli/command.ts';
import { NightmarkError } from '../platform/core/errors.ts';

export interface Entry {
  readonly name: string;
  readonly summary: string;
  load(): Promise<{ default: CommandModule }>;
  /** Commands below this one: nightmark duet run. */
  readonly subcommands?: readonly Entry[];
}

/** Commands are loaded when they are called, so that --help is instant. */
export const commands: readonly Entry[] = [
  { name: 'init', summary: 'Make a new home that runs', load: () => import('../home/cli/init.ts') },
  { name: 'check', summary: 'Report every problem of a home', load: () => import('./check/check.ts') },
  {
    name: 'run',
    summary: 'Run a night: every experiment of a home, then its subsystems',
    load: () => import('../night/cli/run.ts'),
  },
  {
    name: 'status',
    summary: 'Show how the last nights went',
    load: () => import('../dashboard/cli/status.ts'),
  },
  { name: 'serve', summary: 'Show a home in the browser', load: () => import('../server/cli/serve.ts') },
  {
    name: 'token',
    summary: 'Make, list and revoke tokens for the server of a home',
    load: async () => ({ default: commandGroup('token') }),
    subcommands: [
      {
        name: 'create',
        summary: 'Make a token, and print it once',
        load: () => import('../server/cli/token-create.ts'),
      },
      {
        name: 'list',
        summary: 'Show who has a token, and for what',
        load: () => import('../server/cli/token-list.ts'),
      },
      {
        name: 'revoke',
        summary: 'Revoke a token',
        load: () => import('../server/cli/token-revoke.ts'),
      },
    ],
  },
  {
    name: 'schedule',
    summary: 'Run nights on a timetable',
    load: () => import('../night/cli/schedule/schedule.ts'),
  },
  { name: 'backup', summary: 'Back up a home', load: () => import('../home/cli/backup.ts') },
  {
    name: 'restore',
    summary: 'Bring a home back from a backup',
    load: () => import('../home/cli/restore.ts'),
  },
  {
    name: 'reindex',
    summary: 'Rebuild the index of a home from its files',
    load: () => import('../judge/cli/reindex.ts'),
  },
  {
    name: 'import',
    summary: 'Store and judge the results of other benchmark tools',
    load: () => import('../import/cli/import.ts'),
  },
  {
    name: 'report',
    summary: 'Write a night, a comparison or changes as HTML, Markdown or PDF',
    load: () => import('../publish/cli/report.ts'),
  },
  {
    name: 'publish',
    summary: 'Put the pages of a home where a web server finds them',
    load: () => import('../publish/cli/publish.ts'),
  },
  {
    name: 'changes',
    summary: 'Find where series changed, and follow the changes of a home',
    load: () => import('../judge/cli/changes/changes.ts'),
    subcommands: [
      {
        name: 'show',
        summary: 'Show everything about one change',
        load: () => import('../judge/cli/changes/show.ts'),
      },
      {
        name: 'triage',
        summary: 'Review a change: expected, fixed, false ...',
        load: () => import('../judge/cli/changes/triage.ts'),
      },
      {
        name: 'scorecard',
        summary: 'Show how often past alerts were right, by their reviews',
        load: () => import('../judge/cli/changes/scorecard.ts'),
      },
      {
        name: 'confirm',
        summary: 'Measure the two commits of a change again, in pairs',
        load: () => import('../bisect/cli/confirm-command.ts'),
      },
    ],
  },
  {
    name: 'directions',
    summary: 'Show and declare which direction of a series is good',
    load: () => import('../judge/cli/directions/directions.ts'),
  },
  {
    name: 'notify',
    summary: 'Send the notices of a night, or preview them',
    load: () => import('../publish/cli/notify.ts'),
  },
  {
    name: 'compare',
    summary: 'Compare two runs, commits or machines of a home',
    load: () => import('../judge/cli/compare/compare.ts'),
  },
  {
    name: 'plan',
    summary: 'Estimate how many runs and minutes a comparison needs',
    load: () => import('../judge/cli/plan/plan.ts'),
  },
  {
    name: 'duet',
    summary: 'Compare two commands by running them at the same time',
    load: () => import('../duet/cli/duet-compare.ts'),
    subcommands: [
      { name: 'run', summary: 'Run duet.yml files', load: () => import('../duet/cli/duet-run.ts') },
      {
        name: 'process',
        summary: 'Turn result folders into one table of iterations',
        load: () => import('../duet/cli/duet-process.ts'),
      },
      {
        name: 'analyze',
        summary: 'Judge A against B from iterations',
        load: () => import('../duet/cli/duet-analyze.ts'),
      },
    ],
  },
  {
    name: 'matrix',
    summary: 'Run tests over a matrix of settings, read what they left, keep their KPIs',
    load: async () => ({ default: commandGroup('matrix') }),
    subcommands: [
      { name: 'run', summary: 'Run every test of a matrix', load: () => import('../matrix/cli/run.ts') },
      { name: 'parse', summary: 'Read a tree of results', load: () => import('../matrix/cli/parse.ts') },
      {
        name: 'init',
        summary: 'Draft a workload from an example result',
        load: () => import('../matrix/cli/init.ts'),
      },
      {
        name: 'kpi',
        summary: 'Print the KPIs of a tree of results',
        load: () => import('../matrix/cli/kpi.ts'),
      },
      {
        name: 'analyze',
        summary: 'Compare KPIs with earlier results of the same test',
        load: () => import('../matrix/cli/analyze.ts'),
      },
      {
        name: 'export',
        summary: 'Send payloads to another system',
        load: () => import('../matrix/cli/export.ts'),
      },
      {
        name: 'import',
        summary: 'Bring payloads from another system',
        load: () => import('../matrix/cli/import.ts'),
      },
      {
        name: 'download',
        summary: 'Fetch results from a server',
        load: () => import('../matrix/cli/download.ts'),
      },
      { name: 'report', summary: 'Draw plots and reports', load: () => import('../matrix/cli/report.ts') },
      {
        name: 'process',
        summary: 'Do all post-processing of a matbench block',
        load: () => import('../matrix/cli/process.ts'),
      },
    ],
  },
  {
    name: 'job',
    summary: 'Submit jobs, run them here or on a cluster, inspect them',
    load: async () => ({ default: commandGroup('job') }),
    subcommands: [
      {
        name: 'submit',
        summary: 'Put a command or a script into the queue',
        load: () => import('../jobs/cli/submit.ts'),
      },
      {
        name: 'pack',
        summary: 'Store code for jobs that are submitted later',
        load: () => import('../jobs/cli/pack.ts'),
      },
      {
        name: 'work',
        summary: 'Take jobs from the queue and run them',
        load: () => import('../jobs/cli/work.ts'),
      },
      {
        name: 'dispatch',
        summary: 'Have a cluster start workers for jobs of the queue',
        load: () => import('../jobs/cli/dispatch.ts'),
      },
      {
        name: 'list',
        summary: 'Show jobs, the newest first, or those that a search finds',
        load: () => import('../jobs/cli/list.ts'),
      },
      { name: 'show', summary: 'Show everything about one job', load: () => import('../jobs/cli/show.ts') },
      {
        name: 'logs',
        summary: 'Print what jobs print, also while they run',
        load: () => import('../jobs/cli/logs.ts'),
      },
      { name: 'kill', summary: 'Cancel jobs that wait or run', load: () => import('../jobs/cli/kill.ts') },
      {
        name: 'delete',
        summary: 'Delete jobs, with their files, logs and metrics',
        load: () => import('../jobs/cli/delete.ts'),
      },
      {
        name: 'rerun',
        summary: 'Submit jobs again, also with other settings',
        load: () => import('../jobs/cli/rerun.ts'),
      },
      {
        name: 'resume',
        summary: 'Continue jobs that failed or were cancelled, in the same folder',
        load: () => import('../jobs/cli/resume.ts'),
      },
      {
        name: 'diff',
        summary: 'Show how jobs differ: settings, code, environment, results',
        load: () => import('../jobs/cli/diff.ts'),
      },
      { name: 'star', summary: 'Mark jobs as good', load: () => import('../jobs/cli/star.ts') },
      { name: 'unstar', summary: 'Remove the star', load: () => import('../jobs/cli/unstar.ts') },
      { name: 'bug', summary: 'Mark jobs as wrong', load: () => import('../jobs/cli/bug.ts') },
      { name: 'note', summary: 'Add a note to a job', load: () => import('../jobs/cli/note.ts') },
      {
        name: 'workers',
        summary: 'Show which workers run a job',
        load: () => import('../jobs/cli/workers.ts'),
      },
      {
        name: 'timings',
        summary: 'Show how long the parts of a job took',
        load: () => import('../jobs/cli/timings.ts'),
      },
    ],
  },
  {
    name: 'bisect',
    summary: 'Find the commit that made it slower or faster, by duets',
    load: () => import('../bisect/cli/bisect.ts'),
  },
  {
    name: 'follow',
    summary: 'Send what TensorBoard event files and progress.csv hold, while they grow',
    load: () => import('../metrics/cli/follow.ts'),
  },
  {
    name: 'barrier',
    summary: 'Wait until all participants have reached the same point',
    load: () => import('../duet/cli/barrier-command.ts'),
  },
  {
    name: 'chart',
    summary: 'Draw a chart file as a picture: bars, groups of bars, lines',
    load: () => import('../charts/cli/chart.ts'),
  },
  {
    name: 'time',
    summary: 'Time a command into the table of a run stage',
    load: () => import('../kit/cli/time.ts'),
  },
  {
    name: 'status-file',
    summary: 'Write the status.json of a stage',
    load: () => import('../kit/cli/status-file.ts'),
  },
  {
    name: 'summary',
    summary: 'Write the summary.json of an experiment',
    load: () => import('../kit/cli/summary.ts'),
  },
  {
    name: 'data',
    summary: 'Read the data of experiments, make it of measured times',
    load: async () => ({ default: commandGroup('data') }),
    subcommands: [
      { name: 'get', summary: 'Print the newest data', load: () => import('../kit/cli/data-get.ts') },
      {
        name: 'series',
        summary: 'Print one number over the nights, or draw it',
        load: () => import('../kit/cli/data-series.ts'),
      },
      {
        name: 'times',
        summary: 'Turn a table of times into data.json',
        load: () => import('../kit/cli/data-times.ts'),
      },
    ],
  },
  {
    name: 'prerequisites',
    summary: 'Check whether other experiments have what one needs',
    load: () => import('../kit/cli/prerequisites.ts'),
  },
  {
    name: 'helpers',
    summary: 'Print the folder to use as BENCHMARK_DEPS',
    load: () => import('../kit/cli/helpers.ts'),
  },
];

/** A command that only groups others: its help lists them. */
function commandGroup(name: string): CommandModule {
  return {
    configure(parser) {
      parser.argument('[command]', 'one of the commands below');
    },
    run([word]) {
      throw new NightmarkError(
        'CLI_NO_SUBCOMMAND',
        word === undefined
          ? `nightmark ${name} needs a command.`
          : `nightmark ${name} has no command "${word}".`,
        { hint: `nightmark ${name} --help lists them.` },
      );
    },
  };
}
