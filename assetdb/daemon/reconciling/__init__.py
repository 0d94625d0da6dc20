"""The reconciler: keeps a session and its files current with the disk.

:mod:`.reconciler` decides with the loop when which work begins; its parts each keep one subject.
"""
