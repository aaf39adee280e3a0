def name_of(spec):
    level, passes = spec
    return '|'.join(passes) + ';{}'.format(level)
