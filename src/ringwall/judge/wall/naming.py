"""One name for a call, before it and after it.

Invariant: two calls never share a name; what a host reports of a call leads back to the name that it was
reserved under. A host that names its calls is taken at its word; of another's, a call is the words that it
was made with, at this place of the plan.
"""

from __future__ import annotations

from dataclasses import replace

from ringwall.judge.wall.kept import Holder, Kept
from ringwall.model.action import ToolCall
from ringwall.model.canonical import digest
from ringwall.tools.classify import to_action


def name_of(call: ToolCall, kept: Kept) -> str:
    """The digest that this call goes by while `kept` is the plan."""
    if call.call_id:
        return named(call.host, call.session, call.call_id)
    words = words_of(call)
    holder = kept.holder
    if holder is not None and _made_it(holder, call) and holder.words == words:
        return holder.call
    pointer = kept.pointer
    place = [kept.number, pointer.at, len(pointer.spent)]
    return digest(["nameless", call.host, call.session, call.agent, words, place])


def named(host: str, session: str, call_id: str) -> str:
    return digest(["named", host, session, call_id])


def words_of(call: ToolCall) -> str:
    """The digest of a call's tool and input."""
    return to_action(replace(call, cwd="")).digest


def _made_it(holder: Holder, call: ToolCall) -> bool:
    return (holder.host, holder.session, holder.agent) == (call.host, call.session, call.agent)
