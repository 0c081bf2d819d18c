"""What ``/metrics`` tells Prometheus: latency a step, decisions, outcomes, what the guard refused, repetition."""

from __future__ import annotations

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

from anaphor.types import Answer

SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30)


class Meters:
    """A registry of its own, so that two services in one process do not count into each other."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self.step = Histogram(
            "anaphor_step_seconds", "Time of one step of a turn", ["step"], buckets=SECONDS, registry=self.registry
        )
        self.decisions = Counter("anaphor_decisions", "Turns by decision", ["decision"], registry=self.registry)
        self.outcomes = Counter("anaphor_outcomes", "Turns by outcome", ["outcome"], registry=self.registry)
        self.refusals = Counter(
            "anaphor_guard_refusals", "Rewrites that were not let through", ["rewriter"], registry=self.registry
        )
        self.model_calls = Counter("anaphor_model_calls", "Calls of a model", registry=self.registry)
        self.tokens = Counter(
            "anaphor_model_tokens", "Tokens as the model's server counts", ["way"], registry=self.registry
        )
        self.repeated = Counter(
            "anaphor_evidence_repeated",
            "Cited passages that an earlier answer of the session cited",
            registry=self.registry,
        )
        self.cited = Counter("anaphor_evidence_cited", "Cited passages", registry=self.registry)
        self.unread = Gauge("anaphor_memory_waiting", "Turns that are not read for facts yet", registry=self.registry)
        self.flying = Gauge("anaphor_turns_in_flight", "Turns being answered", registry=self.registry)

    def count(self, answer: Answer, cited_before: frozenset[str] = frozenset()) -> None:
        for step, ms in answer.timings_ms.items():
            self.step.labels(step).observe(ms / 1000)
        self.decisions.labels(str(answer.query.decision)).inc()
        self.outcomes.labels(str(answer.outcome)).inc()
        for refusal in answer.query.refused:
            self.refusals.labels("model" if refusal.rewriter != "embedded" else "embedded").inc()
        self.model_calls.inc(answer.usage.calls)
        self.tokens.labels("input").inc(answer.usage.input_tokens)
        self.tokens.labels("output").inc(answer.usage.output_tokens)
        cited = {citation.passage_id for citation in answer.citations}
        self.cited.inc(len(cited))
        self.repeated.inc(len(cited & cited_before))

    def text(self) -> bytes:
        return generate_latest(self.registry)
