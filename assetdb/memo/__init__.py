"""Derived answers, kept until one of their inputs changes.

An answer is derived by a function of a :class:`~assetdb.memo.view.View` of the project. The view records all inputs of
the function, and nothing else decides when an answer is stale. The model is salsa, which rust-analyzer and ty use.
"""
