"""What an answer holds for.

Invariant: two calls have one binding exactly when a person who has read the one has read the other too: the
same tool, input and directory, the same content of every file and program that will run, the same commits
where they go out, under the same policy, at the same step of a plan. Session, time and agent are no part of
it (docs/adr/0040).
"""

from __future__ import annotations

from dataclasses import dataclass, field

from ringwall.model.canonical import digest


@dataclass(frozen=True, slots=True)
class Binding:
    """`files` are (path, digest) of what was read to judge the call, `programs` (name, path, stamp) of what
    will run, `commits` the digest of a repository's references where the call sends them out."""

    action: str
    policy: str
    files: tuple[tuple[str, str], ...] = ()
    programs: tuple[tuple[str, str, str], ...] = ()
    commits: str = ""
    plan: str = ""
    step: str = ""
    digest: str = field(default="", compare=False)

    def __post_init__(self) -> None:
        if not self.digest:
            parts = {
                "action": self.action,
                "policy": self.policy,
                "files": sorted(map(list, self.files)),
                "programs": sorted(map(list, self.programs)),
                "commits": self.commits,
                "plan": self.plan,
                "step": self.step,
            }
            object.__setattr__(self, "digest", digest(parts))
