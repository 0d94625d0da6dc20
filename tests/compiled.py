"""Whether the hot modules are those that mypyc compiled: functions in these cannot be replaced from outside."""

from assetdb.scan import asset
from assetdb.version import is_compiled

COMPILED = is_compiled(str(asset.__file__))
