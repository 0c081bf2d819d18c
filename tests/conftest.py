"""What holds for every test."""

from hypothesis import settings

# A busy machine makes an example slow, and no test fails for that.
settings.register_profile("unhurried", deadline=None)
settings.load_profile("unhurried")
