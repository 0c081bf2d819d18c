"""What takes a thing's place takes its article along, and what people write themselves is left as they write it."""

import pytest

from anaphor.steps.reconstruct.articles import _begins_with_a_vowel
from steps.reconstruct.said import ask


@pytest.mark.parametrize(
    ("talk", "utterance", "text"),
    [
        (
            ("How do I rotate a client certificate?", "Run `kestrel cert renew`."),
            "Sorry, I meant an access key, not a client certificate.",
            "How do I rotate an access key?",
        ),
        (
            ("How do I get an invoice?", "From the billing page."),
            "Sorry, I meant a receipt, not an invoice.",
            "How do I get a receipt?",
        ),
    ],
)
def test_the_article_goes_with_what_was_put_in(talk, utterance, text):
    query = ask(talk, utterance)
    assert query.text == text
    assert all(carried.text.casefold() in query.text.casefold() for carried in query.carried)


def test_what_somebody_wrote_so_stays_so():
    assert ask(("How do I get a invoice?", "From the billing page."), "And for last year?").text.count("a invoice") == 1


@pytest.mark.parametrize("name", "access hour API SLA onion 8 11 umbrella uninstall heir NDA MRI 18 urgent".split())  # noqa: SIM905
def test_names_that_are_said_with_a_vowel_first(name):
    assert _begins_with_a_vowel(name)


@pytest.mark.parametrize("name", "key user URL UFO European university one-way house utility 110 US used 7".split())  # noqa: SIM905
def test_names_that_are_not(name):
    assert not _begins_with_a_vowel(name)
