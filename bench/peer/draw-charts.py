"""The graphs of bench/chart.ts by matplotlib: SPEC OUT, or --batch FILE SECONDS for many and the time they took."""
import json
import sys
import time
from datetime import datetime

import matplotlib

matplotlib.use("Agg")
if "--seaborn" in sys.argv:
    sys.argv.remove("--seaborn")
    import seaborn  # noqa: F401  the original imports it at load
import matplotlib.pyplot as plt


def carry(axes, bars):
    for bar in bars:
        height = bar.get_height()
        axes.text(bar.get_x() + bar.get_width() / 2, height, "%.3g" % height, ha="center", va="bottom")


def draw(spec, output):
    figure, axes = plt.subplots(figsize=(spec["width"] / 100, spec["height"] / 100), dpi=100)
    if spec["chart"] == "bar":
        carry(axes, axes.bar([bar["label"] for bar in spec["bars"]], [bar["value"] for bar in spec["bars"]]))
    elif spec["chart"] == "grouped-bar":
        places = range(len(spec["groups"]))
        width = 0.8 / len(spec["series"])
        for index, series in enumerate(spec["series"]):
            left = [place - 0.4 + width * (index + 0.5) for place in places]
            carry(axes, axes.bar(left, series["values"], width, label=series["label"]))
        axes.set_xticks(list(places))
        axes.set_xticklabels(spec["groups"])
        axes.legend()
    else:
        for series in spec["series"]:
            moments = [datetime.fromisoformat(text[:19]) for text in series["x"]]
            axes.plot(moments, series["y"], marker="o")
        figure.autofmt_xdate()
    axes.set_title(spec["title"])
    axes.set_xlabel(spec["xTitle"])
    axes.set_ylabel(spec["yTitle"])
    axes.grid(axis="y")
    figure.savefig(output)
    plt.close(figure)


if sys.argv[1] == "--batch":
    with open(sys.argv[2]) as file:
        lines = [json.loads(line) for line in file]
    draw(lines[0]["spec"], lines[0]["output"])
    start, busy = time.perf_counter(), time.process_time()
    for line in lines:
        draw(line["spec"], line["output"])
    with open(sys.argv[3], "w") as file:
        json.dump({"wall": time.perf_counter() - start, "cpu": time.process_time() - busy}, file)
else:
    with open(sys.argv[1]) as file:
        draw(json.load(file), sys.argv[2])
