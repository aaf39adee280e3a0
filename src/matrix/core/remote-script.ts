import type { MatrixDefinition, PlannedTest } from '../../home/core/matrix-definition.ts';
import { testFileText, testFolderName } from '../../home/core/sweep/plan-tests.ts';
import { settingsYaml } from '../../platform/core/python/python-yaml.ts';
import { shellQuote } from '../../platform/core/text/shell.ts';
import { settingVariables } from './planned-test.ts';

/** A bash script that runs the tests on a machine without Nightmark, in the same folders. It skips tests that succeeded. */
export function remoteScript(definition: MatrixDefinition, tests: readonly PlannedTest[]): string {
  const numbers = new Map<string, number>();
  const calls = tests.map((test) => {
    const number = numbers.get(test.experiment) ?? 0;
    numbers.set(test.experiment, number + 1);
    return toCall(test, `${test.experiment}/${testFolderName(number, test.path)}`);
  });
  return [HEAD, testFiles(definition), runTest(definition), ...calls, TAIL].join('\n');
}

const HEAD = `#!/usr/bin/env bash
# Usage: bash SCRIPT RESULTS_DIR EXEC_DIR
# Runs each test in its folder below RESULTS_DIR; scripts are searched in EXEC_DIR. The exit code is the number of
# tests that failed, at most 125; 126 is wrong use.
if [ $# -ne 2 ]; then echo "usage: bash $0 RESULTS_DIR EXEC_DIR" >&2; exit 126; fi
mkdir -p -- "$1" || exit 126
RESULTS_DIR=$(cd -- "$1" && pwd) && EXEC_DIR=$(cd -- "$2" && pwd) || exit 126
export EXEC_DIR NIGHTMARK_MATRIX_DIR="$EXEC_DIR"
total=0 executed=0 recorded=0 failed=0
trap 'echo "interrupted" >&2; exit 130' INT TERM
`;

const TAIL = `
echo "total: $total, executed: $executed, recorded: $recorded, failed: $failed" >&2
exit $((failed > 125 ? 125 : failed))
`;

function testFiles({ testFiles: files }: MatrixDefinition): string {
  const lines = Object.entries(files).map(([name, value]) => {
    const folder = name.includes('/') ? `mkdir -p -- "$1"/${shellQuote(name.replace(/\/[^/]*$/, ''))}; ` : '';
    return `  ${folder}printf %s ${shellQuote(testFileText(value))} > "$1"/${shellQuote(name)}`;
  });
  return `write_test_files() {\n${lines.join('\n') || '  :'}\n}\n`;
}

function runTest({ timeoutMs }: MatrixDefinition): string {
  const limit = timeoutMs === undefined ? '' : `timeout -k 2 ${timeoutMs / 1000} `;
  return `# folder, settings, command, NAME=value...
run_test() {
  local dir="$RESULTS_DIR/$1" settings=$2 command=$3 code
  shift 3
  total=$((total + 1))
  if [ "$(cat -- "$dir/exit_code" 2>/dev/null)" = 0 ]; then recorded=$((recorded + 1)); return; fi
  rm -rf -- "$dir"
  mkdir -p -- "$dir" || exit 126
  printf %s "$settings" > "$dir/settings.yaml"
  write_test_files "$dir"
  echo "$dir" >&2
  (cd -- "$dir" && exec env "$@" NIGHTMARK_TEST_DIR="$dir" ${limit}bash -c "$command") > "$dir/run.log" 2>&1 < /dev/null
  code=$?
  printf '%s\\n' "$code" > "$dir/.exit_code" && mv -- "$dir/.exit_code" "$dir/exit_code"
  executed=$((executed + 1))
  if [ "$code" -ne 0 ]; then failed=$((failed + 1)); fi
}
`;
}

function toCall(test: PlannedTest, folder: string): string {
  if (test.problem !== undefined) {
    const message = shellQuote(`${test.experiment}: ${test.problem}`);
    return `total=$((total + 1)) failed=$((failed + 1)); echo ${message} >&2`;
  }
  const command = test.isScript ? `"$EXEC_DIR"/${test.command}` : test.command;
  const variables = Object.entries(settingVariables(test)).map(([name, value]) =>
    shellQuote(`${name}=${value}`),
  );
  const settings = settingsYaml(test.settings, test.texts);
  return ['run_test', shellQuote(folder), shellQuote(settings), shellQuote(command), ...variables].join(' ');
}
