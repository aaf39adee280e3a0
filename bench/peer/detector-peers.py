"""Changes that other tools find. stdin: a JSON list of series; stdout: {tool: {"found": [[index]], "cpu_ms": number}}."""
import json
import sys
import time


def otava(max_p):
    from otava.series import AnalysisOptions, Metric, Series

    options = AnalysisOptions()
    options.max_pvalue = max_p

    def detect(values):
        series = Series("series", None, list(range(len(values))), {"value": Metric(1, 1.0)}, {"value": values}, {})
        return [change.index for change in series.analyze(options).change_points["value"]]

    return detect


def asv():
    from asv.step_detect import detect_steps

    return lambda values: [step[0] for step in detect_steps(values)[1:]]


TOOLS = {"otava": lambda: otava(0.001), "otava at p = 1e-5": lambda: otava(1e-5), "asv": asv}

all_series = json.load(sys.stdin)
answer = {}
for name, make in TOOLS.items():
    try:
        detect = make()
    except ImportError as error:
        print(f"{name}: {error}", file=sys.stderr)
        continue
    start = time.process_time()
    found = [[int(index) for index in detect(values)] for values in all_series]
    answer[name] = {"found": found, "cpu_ms": (time.process_time() - start) * 1000}
json.dump(answer, sys.stdout)
