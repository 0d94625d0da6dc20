"""The pool of names kept in memory: after an edit only the buckets that it touches are decided again.

The outcome is that of :func:`assetdb.state.names.resolve` for the same claims.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from assetdb.state.names import Paths, separate, settle

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping, Sequence


class NamePool:
    """Who claims which name, and who got which.

    Owners are GUIDs (16 bytes); keys are ``type:name``, those of an asset and of its rows.
    """

    def __init__(
        self,
        keys: Sequence[bytes],
        owners: Sequence[bytes],
        path_of: Callable[[bytes], bytes],
        directory_of: Callable[[bytes], bytes],
    ) -> None:
        """Take claims as two columns, and what gives the path of an owner and of its directory."""
        self._path_of = path_of
        self._directory_of = directory_of
        self._owners: dict[bytes, bytes | set[bytes]] = dict(zip(keys, owners, strict=True))  # sets of contested keys
        self._chosen: dict[bytes, dict[bytes, bytes]] = {}  # by owner and contested key, before any meet
        self._uses: dict[bytes, int] = {}  # of each name chosen
        self._meeting: set[bytes] = set()  # names chosen that somebody else has, too
        self._settled: dict[tuple[bytes, bytes], bytes] = {}  # by key and owner, where that made a name longer
        last = self._owners
        contested: dict[bytes, set[bytes]] = {
            key: set() for key, owner in zip(keys, owners, strict=True) if last[key] != owner
        }
        for key, owner in zip(keys, owners, strict=True):
            if key in contested:
                contested[key].add(owner)
        last.update(contested)
        paths = Paths(path_of, directory_of)
        for key in contested:
            self._decide(key, (), paths)
        self._settle(paths)

    def names_of(self, owner: bytes) -> dict[bytes, bytes]:
        """Return the names that an owner got instead of those it claimed, by key."""
        chosen = self._chosen.get(owner)
        if not chosen:
            return {}
        settled = self._settled
        names = {key: settled.get((key, owner), new) for key, new in chosen.items()} if settled else chosen
        return {key: new[new.index(b":") + 1 :] for key, new in names.items()}

    def update(
        self, removed: Mapping[bytes, Collection[bytes]], added: Mapping[bytes, Collection[bytes]]
    ) -> set[bytes]:
        """Take back the claims of some owners and take those of others; return whose names may have changed.

        An owner whose keys or path changed is in both.
        """
        contested: dict[bytes, set[bytes]] = {}  # with those who had them before
        touched: set[bytes] = set()
        for owner, keys in removed.items():
            for key in set(keys):
                holders = self._owners[key]
                if isinstance(holders, set):
                    contested.setdefault(key, set(holders))
                    holders.discard(owner)
                else:
                    del self._owners[key]
                    touched.add(key)
        for owner, keys in added.items():
            for key in set(keys):
                held = self._owners.get(key)
                if held is None:
                    self._owners[key] = owner
                    touched.add(key)
                elif isinstance(held, set):
                    contested.setdefault(key, set(held))
                    held.add(owner)
                else:
                    contested.setdefault(key, set())
                    self._owners[key] = {held, owner}
        paths = Paths(self._path_of, self._directory_of)
        changed = {*removed, *added}
        for key, before in contested.items():
            changed |= before
            changed |= self._decide(key, before, paths)
        for key in touched:
            self._look(key)
        return changed | self._settle(paths)

    # --- decisions

    def _decide(self, key: bytes, before: Iterable[bytes], paths: Paths[bytes]) -> set[bytes]:
        """Decide a key again that is or was contested; return whose it is now."""
        for owner in before:
            self._forget(key, owner)
        bucket = self._owners[key]
        if isinstance(bucket, set) and len(bucket) < 2:
            if bucket:
                self._owners[key] = bucket.pop()
            else:
                del self._owners[key]
            bucket = b""
        if isinstance(bucket, set):
            for owner, run in separate(bucket, paths)[0].items():
                new = self._chosen.setdefault(owner, {})[key] = key + b"^" + run
                self._uses[new] = self._uses.get(new, 0) + 1
                self._look(new)
        self._look(key)
        holders = self._owners.get(key, ())
        return {holders} if isinstance(holders, bytes) else set(holders)

    def _forget(self, key: bytes, owner: bytes) -> None:
        chosen = self._chosen[owner]
        new = chosen.pop(key)
        if not chosen:
            del self._chosen[owner]
        if self._uses[new] == 1:
            del self._uses[new]
        else:
            self._uses[new] -= 1
        self._look(new)

    def _look(self, name: bytes) -> None:
        """Note whether a name meets another: one that was chosen twice, or that somebody holds as it is."""
        uses = self._uses.get(name, 0)
        if uses > 1 or (uses and self._is_taken(name)):
            self._meeting.add(name)
        else:
            self._meeting.discard(name)

    def _is_taken(self, name: bytes) -> bool:
        return isinstance(self._owners.get(name), bytes)

    def _settle(self, paths: Paths[bytes]) -> set[bytes]:
        """Lengthen names that meet, all anew: hardly a project has any. Return whose changed."""
        before = self._settled
        if not before and not self._meeting:
            return set()
        self._settled = {}
        if self._meeting:
            chosen = {(key, owner): new for owner, names in self._chosen.items() for key, new in names.items()}
            longer = dict(chosen)
            settle(longer, self._is_taken, paths)
            self._settled = {claim: new for claim, new in longer.items() if new != chosen[claim]}
        return {claim[1] for claim, _ in before.items() ^ self._settled.items()}
