"""Whether the hot modules are those that mypyc compiled: functions in these cannot be replaced from outside."""

from assetdb.scan import asset

COMPILED = not str(asset.__file__).endswith(".py")
