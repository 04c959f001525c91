"""bool_flag: a switch for the command line, read by config_setting."""

def _impl(_ctx):
    return []

bool_flag = rule(implementation = _impl, build_setting = config.bool(flag = True))
