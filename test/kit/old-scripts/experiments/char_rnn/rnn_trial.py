import time

from language_data import names

SECONDS = {'pt': 0.0075, 'aot': 0.002, 'intp': 0.06}


def setup(device, *how):
    assert names()[1] == 'Lovelace'
    return [SECONDS[how[-1]] if how else SECONDS['pt']]


def trial(seconds):
    time.sleep(seconds)


def teardown(seconds):
    pass
