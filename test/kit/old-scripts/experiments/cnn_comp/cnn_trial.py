import time

SECONDS = {'resnet-18': 0.01, 'mobilenet': 0.004, 'nature-dqn': 0.0004, 'vgg-16': 0.5}


def setup(factor):
    return lambda network, device, *rest: [factor * SECONDS[network] / (4 if device == 'gpu' else 1)]


def trial(seconds):
    time.sleep(seconds)


def teardown(seconds):
    pass
