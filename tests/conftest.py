"""Property tests fail for what they find, never because a busy machine was slow for a moment."""

from hypothesis import settings

settings.register_profile("patient", deadline=None)
settings.load_profile("patient")
