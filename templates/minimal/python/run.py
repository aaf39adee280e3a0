"""Prints one line of CSV for each case and round. Replace it with what you want to measure."""
import random
import time

print('case,seconds')
for round in range(-2, 10):
    for size in (1000, 20000):
        numbers = [random.random() for _ in range(size)]
        start = time.perf_counter()
        numbers.sort()
        seconds = time.perf_counter() - start
        if round >= 0:  # two rounds of warm-up are left out
            print('sort %d,%r' % (size, seconds))
