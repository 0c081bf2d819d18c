"""What the reader says to every question of a memory set, for a judge who is not part of this project.

Everything is asked, also what the history does not say: whether a system declines is part of what is judged. The reader
sees the evidence that retrieval finds within the budget, and nothing else.
"""

from __future__ import annotations

from anaphor.errors import BadInput
from anaphor.steps.assemble import assemble
from anaphor.steps.commit import released
from anaphor.types import Question, Recollection
from anaphor_eval.datasets import Dataset, LongConversation
from anaphor_eval.product import count_for
from anaphor_eval.reading import answered, answering_model
from anaphor_eval.rows import Arm
from anaphor_eval.tasks.plan import BUDGET, Plan
from anaphor_eval.tasks.shelf import Shelf, alone, asked


def hypotheses(plan: Plan, dataset: Dataset[LongConversation], arm: Arm) -> dict[str, str]:
    """Question id → the answer, or what is said where there is none."""
    if arm.source != "turns":
        raise BadInput(f"--hypotheses needs --source turns: {arm.source} shows what no reader of a turn is given")
    settings, retriever = plan.settings, arm.retriever or "default"
    model = answering_model(settings) if arm.reader == "model" else None
    room = alone(arm.budget or BUDGET)
    questions = [(each.conversation_id, question) for each in dataset.items for question in each.questions]
    found: dict[str, str] = {}
    with Shelf(plan, dataset, arm.roles) as shelf:
        product = shelf.product()
        queries = [asked(question, settings) for _, question in questions]
        product.indexes(retriever)
        product.prepare(retriever, queries)
        for n, ((person, question), query) in enumerate(zip(questions, queries, strict=True)):
            plan.tell(f"{dataset.name}: answers", n, len(questions))
            if question.question_id in found:
                raise BadInput(f"{dataset.name}: question id {question.question_id!r} is there in two conversations")
            ranking = product.ranking(retriever, query, person=person, memory=True, limit=settings.hits)
            said = Question(question.question, question.question_id, locale=settings.locale)
            evidence = assemble(said, ranking, Recollection(), room, count_for(product))
            draft, verdict = answered(said, query, evidence, model, settings)
            found[question.question_id] = released(draft, verdict)
    return found
