"""What a stream must be so that an event which it has acknowledged is there when it is asked for.

A stream may drop events by its own settings: for want of a subscriber, for age, for room. It would
say nothing then. So its settings are read at every connection, and each that breaks the promise is
named, with what the configuration says instead.
"""

from __future__ import annotations

from collections.abc import Iterator

from nats.js import api

from daemon.buses.nats_jetstream.settings import NatsSettings

_DAY_S = 86_400.0


def broken_promises(info: api.StreamInfo, settings: NatsSettings) -> tuple[str, ...]:
    """Return which settings of the stream break what it is there for, in sentences."""
    name = info.config.name
    return tuple(f"the stream {name} {sentence}" for sentence in _sentences(info, settings))


def _sentences(info: api.StreamInfo, settings: NatsSettings) -> Iterator[str]:
    config = info.config
    if config.retention not in {None, api.RetentionPolicy.LIMITS}:
        yield (
            f"drops events by interest or by work done (retention {_value(config.retention)}): make"
            " it anew with retention limits"
        )
    if config.storage == api.StorageType.MEMORY:
        yield "keeps events in memory: make it anew with storage file"
    if config.no_ack:
        yield "acknowledges nothing (no_ack): switch that off"
    if config.sealed or config.mirror is not None:
        yield "takes no events (sealed, or a mirror of another one): name another stream"
    if config.subject_transform is not None:
        yield "renames what it takes (subject_transform): take that away"
    yield from _room(config)
    yield from _age(config, settings)
    yield from _copies(info, settings)


def _room(config: api.StreamConfig) -> Iterator[str]:
    if _limit(config.max_msgs_per_subject):
        yield (
            f"keeps {config.max_msgs_per_subject} events of each kind only"
            " (max_msgs_per_subject): take that limit away"
        )
    limits = [
        f"{key} {value}"
        for key, value in (("max_msgs", config.max_msgs), ("max_bytes", config.max_bytes))
        if _limit(value)
    ]
    if limits and config.discard == api.DiscardPolicy.OLD:
        yield (
            f"throws its oldest events away when it is full ({', '.join(limits)}): set discard to"
            " new, then it says that it is full"
        )


def _age(config: api.StreamConfig, settings: NatsSettings) -> Iterator[str]:
    kept_s, asked_s = config.max_age or 0.0, settings.max_age_s or 0.0
    if kept_s and (not asked_s or kept_s < asked_s):
        asked = "max_age_s is not set" if not asked_s else f"max_age_s is {_duration(asked_s)}"
        yield f"keeps events for {_duration(kept_s)} only (max_age), and in [bus] {asked}"
    if (config.duplicate_window or 0.0) < settings.duplicate_window_s:
        yield (
            f"knows an id for {_duration(config.duplicate_window or 0.0)} only (duplicate_window),"
            f" and in [bus] duplicate_window_s is {settings.duplicate_window_s:g}"
        )


def _copies(info: api.StreamInfo, settings: NatsSettings) -> Iterator[str]:
    copies, asked = info.config.num_replicas or 1, settings.replicas
    if asked is not None and copies < asked:
        yield f"is kept by {copies} of the {asked} servers that [bus] asks for (replicas)"
    elif asked is None and copies == 1 and info.cluster is not None and info.cluster.name:
        yield (
            f"is kept by one server of the cluster {info.cluster.name} only: while that one is away"
            " nothing is delivered; set replicas to 3, or to 1 if that is meant"
        )


def _limit(value: int | None) -> bool:
    return value is not None and value > 0


def _value(policy: object) -> str:
    return str(getattr(policy, "value", policy))


def _duration(seconds: float) -> str:
    return f"{seconds / _DAY_S:g} days" if seconds >= _DAY_S else f"{seconds:g} s"
