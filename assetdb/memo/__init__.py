"""Derived answers, kept until something that they were derived from changes.

An answer is derived by a function of a :class:`~assetdb.memo.view.View` of the project. The view records all that the
function looks at, so that nothing else decides when an answer is stale. The model is that of salsa, which rust-analyzer
and ty stand on.
"""
