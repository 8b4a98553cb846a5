"""All that the journal can say, one type per kind of event.

Invariant: a type never changes. What needs another shape becomes a new type or a new number `V`, and the
old one stays readable.
"""

from __future__ import annotations

from typing import Any, ClassVar

import msgspec


class Event(msgspec.Struct, frozen=True, kw_only=True):
    """The body of a record. `STREAM` is the chain that it goes to, `TYPE` and `V` name its shape; `PLAIN` are
    fields that hold only what Ringwall itself put together of texts, small integers and truth values."""

    STREAM: ClassVar[str] = "calls"
    TYPE: ClassVar[str]
    V: ClassVar[int] = 1
    PLAIN: ClassVar[tuple[str, ...]] = ()


class Decided(Event, frozen=True, kw_only=True):
    """A tool call and what was decided about it, with the whole trace."""

    TYPE: ClassVar[str] = "decision"
    PLAIN: ClassVar[tuple[str, ...]] = ("trace",)
    host: str
    tool: str
    input: dict[str, Any]
    action: str
    verdict: str
    trace: dict[str, Any]
    policy: str
    cwd: str = ""
    session: str = ""
    agent: str = ""
    agent_type: str = ""
    mode: str = ""
    call_id: str = ""
    moment: str = ""
    files: tuple[tuple[str, str], ...] = ()


class Undecided(Event, frozen=True, kw_only=True):
    """A call that was stopped because there was no verdict: code and cause."""

    TYPE: ClassVar[str] = "failure"
    host: str
    code: str
    what: str
    session: str = ""
    event: str = ""


class Unjudged(Event, frozen=True, kw_only=True):
    """A call that was let through because a person had switched judging off."""

    TYPE: ClassVar[str] = "unjudged"
    host: str
    tool: str
    input: dict[str, Any]
    pause: str
    cwd: str = ""
    session: str = ""
    call_id: str = ""


class AskAnswered(Event, frozen=True, kw_only=True):
    """What became of an `ask` that a host's own prompt put: `approved` or `unknown`. Written before there
    were proposals."""

    TYPE: ClassVar[str] = "ask.outcome"
    decision: str
    action: str
    outcome: str
    by: str


class ProposalOpened(Event, frozen=True, kw_only=True):
    """A question to a person, opened by the decision that asked. `binding` is what an answer holds for."""

    TYPE: ClassVar[str] = "proposal.opened"
    number: int
    decision: str
    action: str
    binding: str
    channel: str
    expires: int
    kind: str = "call"
    plan: str = ""
    step: str = ""


class ProposalDecided(Event, frozen=True, kw_only=True):
    """A person's answer: `approved` or `rejected`, until when it holds (Unix seconds), and why."""

    STREAM: ClassVar[str] = "people"
    TYPE: ClassVar[str] = "proposal.decided"
    number: int
    binding: str
    outcome: str
    by: str
    because: str = ""
    expires: int = 0


class ProposalConsumed(Event, frozen=True, kw_only=True):
    """The one act that an approval was for; `decision` let it through, where one did."""

    TYPE: ClassVar[str] = "proposal.consumed"
    number: int
    binding: str
    decision: str = ""


class ProposalEnded(Event, frozen=True, kw_only=True):
    """A proposal that ended without its act: `expired`, `withdrawn` or `invalidated`, and why."""

    TYPE: ClassVar[str] = "proposal.ended"
    number: int
    outcome: str
    why: str


class ActionProposed(Event, frozen=True, kw_only=True):
    """An outward act that was proposed by name, for Ringwall to run: `git_push`, `git_merge`, `pr_open`."""

    TYPE: ClassVar[str] = "action.proposed"
    kind: str
    argv: tuple[str, ...]
    cwd: str
    preview: tuple[str, ...] = ()


class ActionRan(Event, frozen=True, kw_only=True):
    """What Ringwall ran for an approved proposal, and how it ended."""

    TYPE: ClassVar[str] = "proposal.ran"
    number: int
    argv: tuple[str, ...]
    exit: int
    output: str = ""


class RuleGranted(Event, frozen=True, kw_only=True):
    """A person lets all that a rule matches pass, for a scope and until a moment (Unix seconds)."""

    STREAM: ClassVar[str] = "people"
    TYPE: ClassVar[str] = "grant.given"
    number: int
    rule: str
    scope: str
    project: str
    expires: int
    proposal: int = 0
    session: str = ""


class RuleRevoked(Event, frozen=True, kw_only=True):
    """A person takes a granted rule back."""

    STREAM: ClassVar[str] = "people"
    TYPE: ClassVar[str] = "grant.revoked"
    number: int
    rule: str


class HostReported(Event, frozen=True, kw_only=True):
    """A moment that a host reports and that waits for no verdict."""

    TYPE: ClassVar[str] = "host.event"
    host: str
    event: str
    moment: str
    session: str = ""
    cwd: str = ""
    tool: str = ""
    call_id: str = ""
    agent: str = ""
    detail: dict[str, Any] = {}


class FileTrusted(Event, frozen=True, kw_only=True):
    """A person trusts the content of a policy file."""

    STREAM: ClassVar[str] = "people"
    TYPE: ClassVar[str] = "policy.trusted"
    path: str
    digest: str


class FileDistrusted(Event, frozen=True, kw_only=True):
    """A person takes the trust in a policy file back."""

    STREAM: ClassVar[str] = "people"
    TYPE: ClassVar[str] = "policy.distrusted"
    path: str
    digest: str


class JudgingPaused(Event, frozen=True, kw_only=True):
    """A person switches judging off, from one moment to another (Unix seconds)."""

    STREAM: ClassVar[str] = "people"
    TYPE: ClassVar[str] = "judging.off"
    begins: int
    ends: int
    reason: str = ""


class JudgingResumed(Event, frozen=True, kw_only=True):
    """A person switches judging on again before the pause has ended."""

    STREAM: ClassVar[str] = "people"
    TYPE: ClassVar[str] = "judging.on"
    pause: str


class Paired(Event, frozen=True, kw_only=True):
    """A browser or a terminal becomes a place where a person decides, until a moment (Unix seconds)."""

    STREAM: ClassVar[str] = "people"
    TYPE: ClassVar[str] = "console.paired"
    kind: str
    label: str
    expires: int


class Unpaired(Event, frozen=True, kw_only=True):
    """A browser or a terminal is such a place no more."""

    STREAM: ClassVar[str] = "people"
    TYPE: ClassVar[str] = "console.unpaired"
    kind: str
    label: str


class PlanSealed(Event, frozen=True, kw_only=True):
    """A person seals a plan for a worktree. `file` is the digest of the Markdown at `path`; `done` steps are
    kept as done from the plan `after`."""

    STREAM: ClassVar[str] = "plans"
    TYPE: ClassVar[str] = "plan.sealed"
    plan: int
    plan_id: str
    root: str
    path: str
    file: str
    steps: int
    head: str = ""
    policy: str = ""
    after: int = 0
    done: int = 0


class PlanEnded(Event, frozen=True, kw_only=True):
    """A plan holds no longer: `done`, `abandoned` or `replaced`, and why."""

    STREAM: ClassVar[str] = "plans"
    TYPE: ClassVar[str] = "plan.ended"
    plan: int
    outcome: str
    because: str = ""


class StepReserved(Event, frozen=True, kw_only=True):
    """A call is about to do the step at index `step`; `output` is the index of the session's file that it
    writes, -1 for all else. `decision` let it through; `moved` are files that changed since the last step."""

    STREAM: ClassVar[str] = "plans"
    TYPE: ClassVar[str] = "step.reserved"
    plan: int
    step: int
    call: str
    decision: str
    output: int = -1
    closes: bool = True
    moved: tuple[str, ...] = ()


class StepCommitted(Event, frozen=True, kw_only=True):
    """The call that held a step happened, as the host, the products or a person say (`by`). `others` are
    files that changed though the step does not name them."""

    STREAM: ClassVar[str] = "plans"
    TYPE: ClassVar[str] = "step.committed"
    plan: int
    step: int
    call: str
    by: str
    others: tuple[str, ...] = ()


class StepReleased(Event, frozen=True, kw_only=True):
    """The call that held a step did not happen, or not as the step says; the step is free again."""

    STREAM: ClassVar[str] = "plans"
    TYPE: ClassVar[str] = "step.released"
    plan: int
    step: int
    call: str
    by: str
    why: str = ""


class StepLost(Event, frozen=True, kw_only=True):
    """Nobody can say whether the call that held a step happened."""

    STREAM: ClassVar[str] = "plans"
    TYPE: ClassVar[str] = "step.lost"
    plan: int
    step: int
    call: str
    why: str = ""


class PlanAdvised(Event, frozen=True, kw_only=True):
    """What a reviewing command (`role` mentor or judge) said of the plan file with this digest: `approve`,
    `reject` or `none`, and its words."""

    STREAM: ClassVar[str] = "people"
    TYPE: ClassVar[str] = "plan.advised"
    path: str
    file: str
    role: str
    command: str
    verdict: str
    words: str = ""


class CandidateDecided(Event, frozen=True, kw_only=True):
    """A person decides about a candidate of the harvest: the status that it has from then on, and why."""

    STREAM: ClassVar[str] = "people"
    TYPE: ClassVar[str] = "harvest.decided"
    key: str
    candidate: str
    status: str
    by: str
    reason: str = ""


class LedgerMoved(Event, frozen=True, kw_only=True):
    """A person says that a project is elsewhere now; its ledgers go with it."""

    STREAM: ClassVar[str] = "people"
    TYPE: ClassVar[str] = "harvest.moved"
    before: str
    after: str
    by: str


class EscapeIssued(Event, frozen=True, kw_only=True):
    """A person lifts the floor for one act, by its digest, until a moment (Unix seconds), and says why."""

    STREAM: ClassVar[str] = "people"
    TYPE: ClassVar[str] = "escape.issued"
    number: int
    action: str
    because: str
    expires: int


class EscapeRevoked(Event, frozen=True, kw_only=True):
    """A person takes an escape back that nobody has used."""

    STREAM: ClassVar[str] = "people"
    TYPE: ClassVar[str] = "escape.revoked"
    number: int
    action: str


class EscapeUsed(Event, frozen=True, kw_only=True):
    """The one act that an escape was for; `decision` let it through, or put it to the person at the host."""

    TYPE: ClassVar[str] = "escape.used"
    number: int
    action: str
    decision: str


class ToolPinned(Event, frozen=True, kw_only=True):
    """What an MCP server says of a tool may reach agents from now on: as it was first seen (`proposal` 0), or
    as a person accepted it."""

    TYPE: ClassVar[str] = "tool.pinned"
    project: str
    server: str
    tool: str
    digest: str
    proposal: int = 0


class SessionBound(Event, frozen=True, kw_only=True):
    """A person starts a session as a named agent, or with a role, until a moment (Unix seconds)."""

    STREAM: ClassVar[str] = "people"
    TYPE: ClassVar[str] = "session.bound"
    token: str
    agent: str
    role: str
    expires: int


class ReadingPermitted(Event, frozen=True, kw_only=True):
    """A person lets an agent read by one contract until a moment (Unix seconds), at most `budget` times;
    `proposal` is where they were asked."""

    STREAM: ClassVar[str] = "people"
    TYPE: ClassVar[str] = "reading.permitted"
    number: int
    contract: str
    digest: str
    scope: dict[str, str]
    session: str
    revision: int
    expires: int
    budget: int
    proposal: int = 0


class ReadingEnded(Event, frozen=True, kw_only=True):
    """A permit to read has ended, and why."""

    TYPE: ClassVar[str] = "reading.ended"
    number: int
    why: str


class PageReadBegun(Event, frozen=True, kw_only=True):
    """An attempt to read a page, counted before anything was sent; `verdict` is what the gate said."""

    TYPE: ClassVar[str] = "reading.begun"
    permit: int
    attempt: int
    route: str
    digest: str
    verdict: str
    code: str = ""


class PageReadEnded(Event, frozen=True, kw_only=True):
    """How an attempt ended: `kept` as an observation, `failed`, or `cancelled`; `sent` are the requests that
    had been answered. One that had been sent cannot be called back."""

    TYPE: ClassVar[str] = "reading.read"
    begun: str
    route: str
    outcome: str
    observation: int = 0
    sent: tuple[str, ...] = ()
    why: tuple[str, ...] = ()


class TailLost(Event, frozen=True, kw_only=True):
    """The journal was found to end before the last record that had been seen in it."""

    TYPE: ClassVar[str] = "journal.cut"
    stream: str
    seen_seq: int
    seen_hash: str
    found_seq: int


EVENTS: tuple[type[Event], ...] = (
    Decided,
    Undecided,
    Unjudged,
    AskAnswered,
    ProposalOpened,
    ProposalDecided,
    ProposalConsumed,
    ProposalEnded,
    ActionProposed,
    ActionRan,
    RuleGranted,
    RuleRevoked,
    HostReported,
    FileTrusted,
    FileDistrusted,
    JudgingPaused,
    JudgingResumed,
    Paired,
    Unpaired,
    PlanSealed,
    PlanEnded,
    StepReserved,
    StepCommitted,
    StepReleased,
    StepLost,
    PlanAdvised,
    CandidateDecided,
    LedgerMoved,
    EscapeIssued,
    EscapeRevoked,
    EscapeUsed,
    ToolPinned,
    SessionBound,
    ReadingPermitted,
    ReadingEnded,
    PageReadBegun,
    PageReadEnded,
    TailLost,
)
